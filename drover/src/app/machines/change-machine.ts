import { DroverError, type KeyOwner, type MachineAccess } from "@drover/contract";
import { secretNamesIn } from "../../domain/secret-names.ts";
import type { MachineRecord } from "../../ports/store/index.ts";
import type { App } from "../app.ts";
import { assertMayLabel, type Caller } from "../caller.ts";
import { refused } from "../declare-cluster.ts";
import { assertMayUseSecretsNamed } from "../secrets.ts";
import { describeTaken, findAccessProblems } from "./enroll-machines.ts";
import { findMachineUsers } from "./machine-users.ts";
import { getMachine, machineNotFound } from "./read-machines.ts";

/** `expectedVersion` null stands for whatever is there. */
export async function changeMachine(
  app: App,
  caller: Caller,
  name: string,
  access: MachineAccess,
  expectedVersion: number | null,
): Promise<MachineRecord> {
  await getMachine(app, caller, name);
  assertMayLabel(caller, access.labels ?? {});
  await assertMayUseSecretsNamed(app, caller, secretNamesIn(access));
  const problems = await findAccessProblems(app, [{ path: "", access }]);
  if (problems.length > 0) throw refused(problems);
  const done = await app.store.machines.changeMachine(caller.actor, {
    ...{ name, access },
    ...(expectedVersion === null ? {} : { expectedVersion }),
  });
  if (done === null) throw machineNotFound(name);
  if ("taken" in done) throw refused([describeTaken(done.taken, "")]);
  return done.machine;
}

/** Nothing is changed on the machine, so one that a cluster is made of must stay known. */
export async function forgetMachine(app: App, caller: Caller, name: string): Promise<void> {
  const machine = await getMachine(app, caller, name);
  const user = (await findMachineUsers(app, []))(machine);
  if (user !== null) {
    const visible = (await findMachineUsers(app, caller.scopes))(machine);
    const who = visible === null ? "a cluster" : `the cluster "${visible.cluster}", as its node ${visible.node}`;
    const details = visible === null ? {} : { details: { cluster: visible.cluster } };
    throw new DroverError("machine-in-use", `The machine "${name}" is used by ${who}.`, details);
  }
  if (!(await app.store.machines.forgetMachine(caller.actor, name))) throw machineNotFound(name);
}

export async function lookAgain(app: App, caller: Caller, name: string): Promise<MachineRecord> {
  await getMachine(app, caller, name);
  const machine = await app.store.machines.requestLook(caller.actor, name);
  if (machine === null) throw machineNotFound(name);
  return machine;
}

export async function acceptHostKey(
  app: App,
  caller: Caller,
  key: { readonly name: string; readonly of: KeyOwner; readonly fingerprint: string },
): Promise<MachineRecord> {
  await getMachine(app, caller, key.name);
  const machine = await app.store.machines.acceptHostKey(caller.actor, key);
  if (machine === null) throw machineNotFound(key.name);
  return machine;
}
