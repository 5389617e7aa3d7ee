import { DroverError, type MachineProblem } from "@drover/contract";
import { checkMachines } from "../../machines/check-machines.ts";
import type { MachineFilter, MachineRecord } from "../../ports/store/index.ts";
import type { App } from "../app.ts";
import { type Caller, isInScope } from "../caller.ts";
import { type FindUser, findMachineUsers, type MachineUser } from "./machine-users.ts";

/** A machine with what follows from it and from the clusters. */
export interface ShownMachine {
  readonly machine: MachineRecord;
  readonly usedBy: MachineUser | null;
  /** What would be in the way of any cluster. */
  readonly problems: readonly MachineProblem[];
}

export async function listMachines(
  app: App,
  { scopes }: Caller,
  query: Omit<MachineFilter, "scopes"> & { readonly limit: number; readonly after?: string },
): Promise<{ readonly items: readonly ShownMachine[]; readonly next: string | null }> {
  const page = await app.store.machines.listMachines({ ...query, scopes });
  const findUser = await findMachineUsers(app, scopes);
  return { items: page.items.map((machine) => showMachine(machine, findUser)), next: page.next };
}

/** One out of scope is as if it were not there. */
export async function getMachine(app: App, { scopes }: Caller, name: string): Promise<MachineRecord> {
  const machine = await app.store.machines.getMachine(name);
  if (machine === null || !isInScope(scopes, machine.labels)) throw machineNotFound(name);
  return machine;
}

export const machineNotFound = (name: string): DroverError =>
  new DroverError("machine-not-found", `There is no machine named "${name}".`);

export async function showMachines(
  app: App,
  { scopes }: Caller,
  machines: readonly MachineRecord[],
): Promise<readonly ShownMachine[]> {
  const findUser = await findMachineUsers(app, scopes);
  return machines.map((machine) => showMachine(machine, findUser));
}

function showMachine(machine: MachineRecord, findUser: FindUser): ShownMachine {
  // That it cannot be reached is its state already.
  const problems = machine.facts === null ? [] : checkMachines([asChecked(machine, "Reachable")], null);
  return { machine, usedBy: findUser(machine), problems };
}

const asChecked = ({ name, address, port, facts, message }: MachineRecord, state: MachineRecord["state"]) => ({
  ...{ name, address, port, facts, message, state },
  ...{ path: "", roles: [] },
});
