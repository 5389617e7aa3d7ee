import { DroverError, ROLES, type Role } from "@drover/contract";
import { type LabelSelector, matchesLabels } from "../domain/labels.ts";
import type { Actor, Labels } from "../ports/store/index.ts";

/** Who asks, and what they may do. */
export interface Caller {
  readonly actor: Actor;
  readonly userId: string;
  readonly role: Role;
  /** Clusters that one of these meets may be seen and changed; without any, all may. */
  readonly scopes: readonly LabelSelector[];
  /** What they proved themselves with: revoking it ends what it had opened. */
  readonly credential: { readonly kind: "session" | "token"; readonly id: string };
}

/** Roles are in the order of their power: who may administer may also operate and view. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed);

export const weakerRole = (one: Role, other: Role): Role => (mayActAs(one, other) ? other : one);

export function isInScope(scopes: readonly LabelSelector[], labels: Labels): boolean {
  return scopes.length === 0 || scopes.some((selector) => matchesLabels(selector, labels));
}

/** What both of two scopes allow. */
export function narrowScopes(one: readonly LabelSelector[], other: readonly LabelSelector[]): readonly LabelSelector[] {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  return one.flatMap((left) => other.map((right) => [...left, ...right]));
}

/** A cluster out of scope is as if it were not there: that a name is taken is nobody else's business. */
export function assertVisible(caller: Caller, cluster: { readonly name: string; readonly labels: Labels }): void {
  if (isInScope(caller.scopes, cluster.labels)) return;
  throw new DroverError("cluster-not-found", `There is no cluster named "${cluster.name}".`);
}

/** Nobody may give labels to a machine by which they could not see it afterwards. */
export function assertMayLabel(caller: Caller, labels: Labels): void {
  if (isInScope(caller.scopes, labels)) return;
  throw new DroverError("forbidden", "The labels of the machine are outside of your scope; give it labels within.");
}

/** Nobody may declare what they could not see afterwards. */
export function assertMayDeclare(caller: Caller, labels: Labels): void {
  if (isInScope(caller.scopes, labels)) return;
  throw new DroverError("forbidden", "The labels of the cluster are outside of your scope; give it labels within.");
}
