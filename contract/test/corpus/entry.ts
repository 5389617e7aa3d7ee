import type { ProblemCode } from "../../src/index.ts";

/**
 * Why an API server judges a document differently. docs/crd.md explains each; the test against a real API server
 * fails on a difference without explanation, and on an explanation without difference.
 */
export type Difference =
  | "node-addresses"
  | "nothing-as-value"
  | "status-of-a-declaration"
  | "own-metadata"
  | "text-hygiene";

export interface CorpusEntry {
  readonly title: string;
  readonly document: unknown;
  /** Empty for a document that is accepted. Otherwise everything that is wrong, in any order. */
  readonly problems: readonly (readonly [code: ProblemCode, path: string])[];
  readonly difference?: Difference;
}

export type Changes = Readonly<Record<string, unknown>>;

/** A copy of a document with values set by their dotted paths; undefined removes. Numbers address items of a list. */
export function change(document: unknown, changes: Changes): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(document));
  for (const [path, value] of Object.entries(changes)) {
    const fields = path.split(".").map((field) => field.replaceAll("~", "."));
    const last = fields.pop() ?? "";
    let parent = copy as Record<string, unknown>;
    for (const field of fields) {
      parent[field] ??= {};
      parent = parent[field] as Record<string, unknown>;
    }
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}

export function good(title: string, base: unknown, changes: Changes = {}, difference?: Difference): CorpusEntry {
  return { title, document: change(base, changes), problems: [], ...(difference === undefined ? {} : { difference }) };
}

export function bad(
  title: string,
  base: unknown,
  changes: Changes,
  ...problems: readonly (readonly [code: ProblemCode, path: string])[]
): CorpusEntry {
  return { title, document: change(base, changes), problems };
}

/** Marks an entry that an API server judges differently. */
export function differs(difference: Difference, entry: CorpusEntry): CorpusEntry {
  return { ...entry, difference };
}
