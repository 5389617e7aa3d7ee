import { DroverError } from "@drover/contract";
import type { StepContext } from "../../../ports/step.ts";
import type { ExternalObject } from "../../../ports/store/index.ts";
import type { SimulatedCloud } from "../cloud.ts";
import type { Call, CallInput } from "../ledger.ts";
import type { WorldObject } from "../world-state.ts";

/** The name of the simulated cloud in Drover's own ledger of external objects. */
export const SYSTEM = "simulated";

/** One thing that should be there, under the name it has in Drover's ledger. */
export interface Thing {
  readonly kind: "cluster" | "node";
  readonly name: string;
}

export function refOf(clusterName: string, { kind, name }: Thing): { system: string; kind: string; ref: string } {
  return { system: SYSTEM, kind, ref: kind === "cluster" ? name : `${clusterName}/${name}` };
}

/** A row of Drover's ledger that was not seen gone yet. */
export async function findRow(context: StepContext, thing: Thing): Promise<ExternalObject | undefined> {
  const { kind, ref } = refOf(context.cluster.name, thing);
  const rows = await context.ledger.list();
  return rows.find((row) => row.system === SYSTEM && row.kind === kind && row.ref === ref && row.state !== "gone");
}

export function findThings(cloud: SimulatedCloud, context: StepContext, { kind, name }: Thing): readonly WorldObject[] {
  return cloud.objectsOf(context.cluster.id).filter((object) => object.kind === kind && object.name === name);
}

/** There, and known to be: what a crash left unrecorded is not done. */
export async function isMade(cloud: SimulatedCloud, context: StepContext, thing: Thing): Promise<boolean> {
  if (findThings(cloud, context, thing).length === 0) return false;
  return (await findRow(context, thing))?.state === "present";
}

/**
 * Makes a thing unless it is there. Written down before, so that a crash cannot leave something nobody knows of; looked
 * for in between, so that what an earlier run made is taken over; confirmed only after it was seen.
 */
export async function makeThing(
  cloud: SimulatedCloud,
  context: StepContext,
  thing: Thing,
  call: Extract<Call, "create-cluster" | "create-node">,
  input: CallInput,
): Promise<void> {
  const row = await context.ledger.intend(refOf(context.cluster.name, thing));
  if (findThings(cloud, context, thing).length > 0) context.log(`Simulated: ${thing.name} is there and is taken over.`);
  else await cloud.call(context, call, input);
  if (findThings(cloud, context, thing).length > 0) await context.ledger.present(row.id);
}

/** Removes one object; the row goes only after a look has found nothing under the name. */
export async function removeObject(cloud: SimulatedCloud, context: StepContext, object: WorldObject): Promise<void> {
  await cloud.call(context, object.kind === "node" ? "remove-node" : "remove-cluster", { object: object.id });
  await recordIfGone(cloud, context, object);
}

export async function recordIfGone(cloud: SimulatedCloud, context: StepContext, thing: Thing): Promise<void> {
  if (findThings(cloud, context, thing).length > 0) return;
  const row = await findRow(context, thing);
  if (row !== undefined) await context.ledger.gone(row.id);
}

/**
 * Takes back what this very step made, and nothing that it found. Older workers are shut out before anything is looked
 * for: one that was stopped in the middle of making it would otherwise make it after it was seen to be gone.
 */
export async function removeOwn(cloud: SimulatedCloud, context: StepContext, thing: Thing): Promise<void> {
  const findOwn = (): readonly WorldObject[] =>
    findThings(cloud, context, thing).filter(({ key }) => key === context.idempotencyKey);
  const text = `Take back the simulated ${thing.kind} ${thing.name}`;
  await context.change(context.step.host, text, async () => {
    if (cloud.newestToken(context.cluster.id) !== context.fencingToken) await cloud.call(context, "shut-out");
    for (const object of findOwn()) await removeObject(cloud, context, object);
    await recordIfGone(cloud, context, thing);
    if (findOwn().length > 0) throw new DroverError("step-failed", `The simulated ${thing.kind} ${thing.name} stays.`);
  });
}
