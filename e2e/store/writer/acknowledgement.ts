import { readFileSync } from "node:fs";
import type { ErrorCode, FinishedJobState, StepState } from "@drover/contract";
import type { DeclareResult, ExternalObject } from "../../../drover/src/ports/store/index.ts";

/** What the store has answered, and the least that has to be found in it from then on. */
export type Acknowledged =
  | {
      readonly op: "declare" | "delete";
      readonly outcome: DeclareResult["outcome"];
      readonly clusterId: string;
      readonly generation: number;
      readonly version: number;
      readonly specHash: string;
      readonly jobId: string | null;
    }
  | { readonly op: "request" | "cancel"; readonly jobId: string }
  | { readonly op: "postpone"; readonly jobId: string }
  | { readonly op: "claim"; readonly jobId: string; readonly token: number; readonly takenOver: boolean }
  | { readonly op: "plan"; readonly jobId: string; readonly planHash: string; readonly stepIds: readonly string[] }
  | {
      readonly op: "step";
      readonly jobId: string;
      readonly stepId: string;
      readonly state: StepState;
      readonly token: number;
    }
  | { readonly op: "log"; readonly jobId: string; readonly last: number; readonly texts: readonly string[] }
  | { readonly op: "object"; readonly id: string; readonly state: ExternalObject["state"] }
  | { readonly op: "finish"; readonly jobId: string; readonly state: FinishedJobState }
  | { readonly op: "gone"; readonly jobId: string; readonly clusterId: string }
  | { readonly op: "secret"; readonly owner: string; readonly name: string; readonly version: number }
  | { readonly op: "secret-gone"; readonly owner: string; readonly name: string }
  | { readonly op: "message" | "delivered"; readonly id: string }
  | { readonly op: "count"; readonly version: number }
  | { readonly op: "audit"; readonly note: string };

/** An answer that is no success but one that the writer has to expect. */
export interface Refused {
  readonly op: "refused";
  readonly what: string;
  readonly code: ErrorCode;
}

export interface Unexpected {
  readonly op: "unexpected";
  readonly what: string;
  readonly error: string;
}

export type Line = (Acknowledged | Refused | Unexpected) & { readonly at: number; readonly writer: string };

/** A writer that is killed while it writes a line has not acknowledged what the line says. */
export function readLines(file: string): readonly Line[] {
  const whole = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return whole.map((line) => JSON.parse(line) as Line);
}

/** The value of a secret follows from its version, so that each version can be checked alone. */
export const secretValue = (owner: string, name: string, version: number): string => `${owner}/${name}/${version}`;

export const COUNTER = "e2e.counter";
