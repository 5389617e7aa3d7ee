import type { ProblemCode } from "../../problems.ts";
import type { Cluster } from "../schema.ts";

/**
 * A document as rules see it: defaults are filled in, and whatever the schema refused is taken out, so that one
 * wrong value hides no other mistake. Whatever is there has the right type.
 */
export type Draft<T> = T extends readonly (infer Item)[]
  ? readonly (Draft<Item> | undefined)[]
  : T extends object
    ? { readonly [Key in keyof T]?: Draft<T[Key]> | undefined }
    : T;

export type ClusterDraft = Draft<Cluster>;

export interface Report {
  add(path: string, code: ProblemCode, message: string, next?: string): void;
  /** Whether the schema refused something at or below this path: then counting there would mislead. */
  isBroken(path: string): boolean;
}

/** Finds what a schema of single fields cannot. Never throws, and says nothing about what is missing or broken. */
export type Rule = (cluster: ClusterDraft, report: Report, options: RuleOptions) => void;

export interface RuleOptions {
  /** Minors of Kubernetes that are accepted. */
  readonly versions: { readonly oldest: number; readonly newest: number };
}
