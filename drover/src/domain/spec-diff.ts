import type { ClusterSpec, JobKind, Provider } from "@drover/contract";
import { isSameJson } from "./canonical.ts";
import type { ChangeClass } from "./plan.ts";
import { CHANGE_CLASSES } from "./plan.ts";
import type { ChangeRule, Difference, Judgement } from "./spec-rules.ts";
import { COMMON_RULES, covers, foreignBlocks, KEYED } from "./spec-rules.ts";
import { K3D_RULES, KIND_RULES } from "./spec-rules-containers.ts";
import { IMPORTED_RULES, SIMULATED_RULES } from "./spec-rules-others.ts";
import { SSH_RULES } from "./spec-rules-ssh.ts";

/** One field, or one item of a list, in which two specs differ. */
export interface SpecChange extends Judgement, Difference {
  /** `spec.ssh.nodes[worker-1].roles`; items of lists are named by their key. */
  readonly path: string;
}

export interface SpecDiff {
  readonly changes: readonly SpecChange[];
  /** The strongest class among the changes. */
  readonly change: ChangeClass;
}

export const CHANGE_RULES: Readonly<Record<Provider, readonly ChangeRule[]>> = {
  kind: [...COMMON_RULES, ...foreignBlocks("kind"), ...KIND_RULES],
  k3d: [...COMMON_RULES, ...foreignBlocks("k3d"), ...K3D_RULES],
  ssh: [...COMMON_RULES, ...foreignBlocks("ssh"), ...SSH_RULES],
  imported: [...COMMON_RULES, ...foreignBlocks("imported"), ...IMPORTED_RULES],
  simulated: [...COMMON_RULES, ...foreignBlocks("simulated"), ...SIMULATED_RULES],
};

/** Both specs with their defaults filled in; the rules are those of the target the cluster lives on. */
export function diffSpecs(before: ClusterSpec, after: ClusterSpec): SpecDiff {
  const found: RawChange[] = [];
  collect({ path: "spec", pattern: "spec", before, after }, found);
  const changes = found.map(({ pattern, ...difference }): SpecChange => {
    const rule = CHANGE_RULES[before.provider].find((candidate) => covers(candidate, pattern));
    if (rule === undefined) throw new Error(`No rule says what a change of ${pattern} means on ${before.provider}.`);
    return { ...difference, ...rule.judge(difference, { before, after }) };
  });
  return { changes, change: strongestChange(changes.map(({ change }) => change)) };
}

export function strongestChange(classes: readonly ChangeClass[]): ChangeClass {
  const strength = classes.map((change) => CHANGE_CLASSES.indexOf(change));
  return CHANGE_CLASSES[Math.max(0, ...strength)] as ChangeClass;
}

/** The kind of job that brings the change about; null when none is needed. */
export function jobKindOf(diff: SpecDiff): Extract<JobKind, "update" | "upgrade"> | null {
  if (diff.change === "nothing") return null;
  const upgrades = diff.changes.some(({ path, change }) => path === "spec.kubernetes.version" && change === "rolling");
  return upgrades ? "upgrade" : "update";
}

interface RawChange extends Difference {
  readonly path: string;
  /** The path with `[]` in place of keys. */
  readonly pattern: string;
}

function collect(place: RawChange, found: RawChange[]): void {
  const { path, pattern, before, after } = place;
  if (isSame(before, after)) return;
  const key = Object.hasOwn(KEYED, pattern) ? KEYED[pattern] : undefined;
  if (key !== undefined) {
    collectItems(place, readItems(before, key), readItems(after, key), found);
  } else if (isBlock(before) || isBlock(after)) {
    // An item that comes or goes is one change; a block that does is the sum of its fields.
    if (pattern.endsWith("[]") && (before === undefined || after === undefined)) found.push(place);
    else collectFields(place, found);
  } else {
    found.push({ path, pattern, before, after });
  }
}

function collectFields({ path, pattern, before, after }: RawChange, found: RawChange[]): void {
  const old = readFields(before);
  const wanted = readFields(after);
  for (const name of sortedKeys(old, wanted)) {
    const sides = { before: old.get(name), after: wanted.get(name) };
    collect({ path: `${path}.${name}`, pattern: `${pattern}.${name}`, ...sides }, found);
  }
}

function collectItems(
  { path, pattern }: RawChange,
  old: ReadonlyMap<string, unknown>,
  wanted: ReadonlyMap<string, unknown>,
  found: RawChange[],
): void {
  for (const name of sortedKeys(old, wanted)) {
    const sides = { before: old.get(name), after: wanted.get(name) };
    collect({ path: `${path}[${name}]`, pattern: `${pattern}[]`, ...sides }, found);
  }
}

function sortedKeys(old: ReadonlyMap<string, unknown>, wanted: ReadonlyMap<string, unknown>): readonly string[] {
  return [...new Set([...old.keys(), ...wanted.keys()])].sort();
}

function readFields(block: unknown): ReadonlyMap<string, unknown> {
  return new Map(isBlock(block) ? Object.entries(block) : []);
}

function readItems(collection: unknown, key: string): ReadonlyMap<string, unknown> {
  if (key === "*" || !Array.isArray(collection)) return readFields(collection);
  return new Map(collection.map((item: Record<string, unknown>) => [String(item[key]), item]));
}

function isBlock(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(before: unknown, after: unknown): boolean {
  return before === undefined || after === undefined ? before === after : isSameJson(before, after);
}
