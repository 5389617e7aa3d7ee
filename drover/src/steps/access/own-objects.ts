import { textAt } from "../../domain/json-fields.ts";
import type { StepContext } from "../../ports/step.ts";
import type { ExternalObject } from "../../ports/store/index.ts";
import { inWords, type Reached } from "../inside/reach-of-step.ts";

/** In the ledger: what lies inside a cluster. It ends with the cluster, or is removed from one that stays. */
export const INSIDE_CLUSTER = "inside-cluster";

/** Something of ours inside a cluster. */
export interface OwnObject {
  readonly kind: string;
  readonly path: string;
  /** As it is applied: `apiVersion`, `metadata` and all. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The same path is another object in every cluster. */
const refOf = (clusterId: string, path: string): string => `${clusterId}${path}`;

export const pathOf = ({ clusterId, ref }: ExternalObject): string => ref.slice(clusterId.length);

/** Into the ledger first, then into the cluster. Answers its uid. */
export async function applyOwn(context: StepContext, { kubernetes, target }: Reached, own: OwnObject): Promise<string> {
  const { ledger, cluster, signal } = context;
  const row = await ledger.intend({ system: INSIDE_CLUSTER, kind: own.kind, ref: refOf(cluster.id, own.path) });
  const applied = await inWords(() => kubernetes.patch(target, own.path, own.body, { apply: true, signal }));
  await ledger.present(row.id);
  const uid = textAt(applied, "metadata", "uid");
  if (uid === null) throw new Error(`The API gave no uid to ${own.kind} ${own.path}.`);
  return uid;
}

/** Removes one at this path, whether the ledger knows it or not, and has the ledger say that it is gone. */
export async function removeOwn(context: StepContext, { kubernetes, target }: Reached, path: string): Promise<void> {
  const { ledger, cluster, signal } = context;
  await inWords(() => kubernetes.delete(target, path, signal));
  if ((await inWords(() => kubernetes.get(target, path, signal))) !== null) return;
  const rows = (await ledger.list()).filter(
    ({ system, ref }) => system === INSIDE_CLUSTER && ref === refOf(cluster.id, path),
  );
  for (const row of rows) await ledger.gone(row.id);
}

/** What the ledger knows of ours inside the cluster, the newest first. */
export async function listOwn({ ledger }: StepContext): Promise<readonly ExternalObject[]> {
  const rows = (await ledger.list()).filter(({ system, state }) => system === INSIDE_CLUSTER && state !== "gone");
  return rows.toSorted((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1));
}
