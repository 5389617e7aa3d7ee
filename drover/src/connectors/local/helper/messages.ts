import type { OutputStream } from "../../../ports/connector.ts";
import type { ProcessEnd, ProcessRequest } from "../run-process.ts";

/** A command as it goes to a helper. Signals stay behind; the helper is told when one of them has fired. */
export type CommandForHelper = Omit<ProcessRequest, "signals" | "onLine" | "onStart"> & {
  /** Whether its lines are wanted as they come. */
  readonly followed: boolean;
};

export interface FollowedLine {
  readonly text: string;
  readonly stream: OutputStream;
  readonly partial: boolean;
}

export type ToHelper =
  | { readonly kind: "run"; readonly id: number; readonly command: CommandForHelper }
  | { readonly kind: "stop"; readonly id: number };

export type FromHelper =
  | { readonly kind: "ready" }
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | { readonly kind: "lines"; readonly id: number; readonly lines: readonly FollowedLine[] }
  | { readonly kind: "ended"; readonly id: number; readonly end: ProcessEnd }
  | { readonly kind: "not started"; readonly id: number; readonly error: StartFailure };

/** What counts of the error of a process that could not be started. */
export interface StartFailure {
  readonly message: string;
  readonly code: string | undefined;
  readonly errno: number | undefined;
}
