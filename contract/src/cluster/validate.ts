import { z } from "zod";
import { makeProblem, type Problem } from "../problems.ts";
import { fillDefaults } from "./apply-defaults.ts";
import { describeIssue } from "./describe-issue.ts";
import { guardDocument } from "./guard.ts";
import { type Path, readPath } from "./path.ts";
import { RULES } from "./rules/index.ts";
import type { ClusterDraft, Report } from "./rules/rule.ts";
import { type Cluster, cluster } from "./schema.ts";
import { SUPPORTED_KUBERNETES, type SupportedVersions } from "./version.ts";

/** Generating code takes as long as reading a hundred documents: a program that reads a few is better off without. */
const COMPILE_AFTER = 10;
let validations = 0;
let reader = cluster;

/** Generated code where the platform allows it, the schema itself otherwise: the answers are the same. */
function pickReader(): typeof cluster {
  validations += 1;
  if (validations === COMPILE_AFTER) reader = z.compile(cluster);
  return reader;
}

/** Problems are told by describeIssue; making zod's own sentences for thousands of them would take longer than finding them. */
const UNTOLD = { error: () => "" };

/** No one reads more; the rest is counted. */
export const MAXIMUM_PROBLEMS = 100;

export interface ValidateOptions {
  readonly versions?: SupportedVersions;
  /**
   * What to do with a `status` in the document. Only Drover writes it, so it is normally dropped unread,
   * as a Kubernetes API server does; `check` is for documents that come from Drover itself.
   */
  readonly status?: "drop" | "check";
}

export type Validation =
  | { readonly ok: true; readonly cluster: Cluster }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Reads a document as a cluster, with defaults filled in, or says everything that is wrong with it.
 * Takes any value, changes nothing, and gives the same answer in a browser and on a server.
 */
export function validateCluster(input: unknown, options: ValidateOptions = {}): Validation {
  const { copy, problems: hostile } = guardDocument(input);
  if (copy === undefined) return { ok: false, problems: hostile };
  if (options.status !== "check" && isMap(copy)) delete copy.status;
  fillDefaults(copy);
  const parsed = pickReader().safeParse(copy, UNTOLD);
  const findings = new Findings(hostile);
  if (!parsed.success) {
    findings.takeIssues(parsed.error.issues, copy);
    for (const issue of parsed.error.issues) if (issue.code !== "unrecognized_keys") takeOut(copy, issue.path);
  }
  const draft: unknown = parsed.success ? parsed.data : copy;
  const versions = options.versions ?? SUPPORTED_KUBERNETES;
  if (isMap(draft)) for (const rule of RULES) rule(draft as ClusterDraft, findings, { versions });
  if (parsed.success && findings.isEmpty) return { ok: true, cluster: parsed.data };
  return { ok: false, problems: findings.list() };
}

type Issues = Parameters<typeof describeIssue>[0][];

class Findings implements Report {
  readonly #problems: Problem[];
  readonly #paths: Set<string>;
  #schemaProblems: readonly Problem[] = [];
  #unlisted = 0;

  constructor(hostile: readonly Problem[]) {
    this.#problems = [...hostile];
    this.#paths = new Set(hostile.map(({ path }) => path));
  }

  get isEmpty(): boolean {
    return this.#problems.length === 0;
  }

  /** What the guard has said about a place is not said again. */
  takeIssues(issues: Issues, document: unknown): void {
    const described: Problem[] = [];
    for (const issue of issues) {
      const room = MAXIMUM_PROBLEMS - described.length;
      if (issue.code === "unrecognized_keys") this.#unlisted += Math.max(0, issue.keys.length - Math.max(0, room));
      else if (room <= 0) this.#unlisted += 1;
      if (room > 0) described.push(...describeIssue(issue, document, room));
    }
    this.#schemaProblems = described;
    for (const problem of described) if (!this.#paths.has(problem.path)) this.#problems.push(problem);
  }

  add(path: string, code: Problem["code"], message: string, next?: string): void {
    this.#problems.push(makeProblem(path, code, message, next));
  }

  isBroken(path: string): boolean {
    return this.#schemaProblems.some(
      (problem) => problem.path.startsWith(path) && problem.code !== "unknown-field" && isWithin(problem.path, path),
    );
  }

  list(): readonly Problem[] {
    const more = this.#problems.length - MAXIMUM_PROBLEMS + this.#unlisted;
    if (more <= 0) return this.#problems;
    const note = makeProblem("", "too-many-problems", `There are ${more} more problems.`);
    return [...this.#problems.slice(0, MAXIMUM_PROBLEMS), note];
  }
}

function isWithin(path: string, parent: string): boolean {
  const next = path[parent.length];
  return next === undefined || next === "." || next === "[";
}

/** Removes a refused value, so that rules do not meet it. Positions in lists stay as they are. */
function takeOut(document: unknown, path: Path): void {
  const last = path.at(-1);
  const parent = readPath(document, path.slice(0, -1));
  if (last === undefined || typeof parent !== "object" || parent === null || !Object.hasOwn(parent, last)) return;
  if (Array.isArray(parent)) parent[last as number] = undefined;
  else delete (parent as Record<PropertyKey, unknown>)[last];
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
