import type { ClusterSpec, Provider } from "@drover/contract";
import { PROVIDERS } from "@drover/contract";
import type { ChangeClass } from "./plan.ts";

export interface Judgement {
  readonly change: ChangeClass;
  /** Why, in words that are shown beside the difference. */
  readonly reason: string;
}

export interface Difference {
  /** Undefined on the side where the field is left out. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Decides where the class depends on the values. */
export type Judge = (difference: Difference, specs: { before: ClusterSpec; after: ClusterSpec }) => Judgement;

/**
 * How far a change of one field reaches on one target. `path` is the field's path, with `[]` for an item of a list or
 * map that is matched by key; alone at the end, it stands for an item that comes or goes. A path that ends in `.**`
 * stands for everything below. Every field has exactly one rule on every target: nothing is classed by default.
 */
export interface ChangeRule {
  readonly path: string;
  readonly judge: Judge;
}

export function rule(path: string, change: ChangeClass, reason: string): ChangeRule {
  const judgement: Judgement = { change, reason };
  return { path, judge: () => judgement };
}

/** The same class and reason for several fields below one path. */
export function rules(parent: string, fields: readonly string[], change: ChangeClass, reason: string): ChangeRule[] {
  return fields.map((field) => rule(`${parent}.${field}`, change, reason));
}

export function judged(path: string, judge: Judge): ChangeRule {
  return { path, judge };
}

export function covers({ path }: ChangeRule, field: string): boolean {
  if (!path.endsWith(".**")) return path === field;
  const parent = path.slice(0, -3);
  return field.startsWith(`${parent}.`) || field.startsWith(`${parent}[`);
}

/** The settings of the other targets: their blocks have no meaning here. */
export function foreignBlocks(provider: Provider): readonly ChangeRule[] {
  return PROVIDERS.filter((other) => other !== provider).map((other) =>
    rule(`spec.${other}.**`, "forbidden", `Settings of ${other} have no meaning for a cluster on ${provider}.`),
  );
}

/** What is the same wherever the cluster lives. */
export const COMMON_RULES: readonly ChangeRule[] = [
  rule("spec.provider", "forbidden", "A cluster cannot move to another target. Declare a new one."),
  rule("spec.desiredState", "nothing", "Whether it exists is decided by creating and deleting, not by a change."),
  rule("spec.maintenance.**", "nothing", "It decides when Drover acts, not what the cluster is."),
  rule("spec.integrations.**", "in-place", "Other systems are told; the cluster itself is not touched."),
  rule("spec.addons.**", "in-place", "Add-ons are applied to the running cluster, in their order."),
  rule("spec.placement.workerSelector.**", "nothing", "It decides which worker acts, not what the cluster is."),
];

/**
 * Lists and maps whose items are matched by a key rather than by position: the name of the member that tells the
 * items of a list apart, or `*` for a map. Their order means nothing.
 */
export const KEYED: Readonly<Record<string, string>> = {
  "spec.kind.nodeLabels": "*",
  "spec.kind.registries": "host",
  "spec.kind.featureGates": "*",
  "spec.kind.runtimeConfig": "*",
  "spec.k3d.nodeLabels": "*",
  "spec.k3d.registries.mirrors": "host",
  "spec.ssh.nodes": "name",
  "spec.ssh.nodes[].labels": "*",
  "spec.ssh.artifacts.checksums": "*",
  "spec.ssh.registryMirrors": "host",
  "spec.addons": "name",
  "spec.integrations.argocd.labels": "*",
  "spec.integrations.haproxy.services": "name",
  "spec.placement.workerSelector": "*",
};
