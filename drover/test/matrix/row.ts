import type { ErrorCode, ROUTES, Role } from "@drover/contract";
import type { openTestServer } from "../http.ts";
import type { NOT_MOUNTED } from "./not-mounted.ts";

/** What a row can speak of: made anew for each cell, so that one cell does not change what the next one finds. */
export interface Made {
  /** A cluster that is declared and waits, labelled `env=dev`. */
  readonly cluster: string;
  /** The job that waits to create it. */
  readonly job: string;
  /** The cluster that is there from the beginning, and runs; labelled `env=dev` as well. */
  readonly running: string;
  /** A word that no other cell uses. */
  readonly word: string;
  readonly test: Awaited<ReturnType<typeof openTestServer>>;
}

export interface SampleRequest {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Text is sent as a document in YAML. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One route of the matrix: a request that is good in itself, and how label scopes show in its answer.
 *
 * - `cluster`, `job`: it names one; out of scope it is not found.
 * - `list`: what is out of scope is left out.
 * - `declare`: it names labels; those out of scope are forbidden.
 * - `none`: it is about nothing that has labels.
 */
export interface Row {
  readonly scope: "cluster" | "job" | "list" | "declare" | "none";
  readonly request?: (made: Made) => SampleRequest | Promise<SampleRequest>;
  /** The refusal that whoever is let in gets: this sample cannot be fulfilled, whoever asks. */
  readonly refusal?: ErrorCode;
  /** For lists: whether the answer tells of the cluster; otherwise by its name. */
  readonly tells?: (text: string, made: Made) => boolean;
  /** The sample needs more than its route does. */
  readonly needs?: Role;
}

type Mounted = Exclude<keyof typeof ROUTES, (typeof NOT_MOUNTED)[number]>;

/** A row for each route of every mounted table; a missing one does not compile. */
export type Matrix = { readonly [Table in Mounted]: { readonly [Name in keyof (typeof ROUTES)[Table]]: Row } };

export const describeCluster = (name: string, labels: Readonly<Record<string, string>> = { env: "dev" }) => `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata: { name: ${name}, labels: ${JSON.stringify(labels)} }
spec: { provider: simulated, kubernetes: { version: v1.34.4 }, simulated: { workers: 1 } }
`;
