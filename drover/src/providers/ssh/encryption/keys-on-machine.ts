import { DroverError } from "@drover/contract";
import type { RemoteMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { StepContext } from "../../../ports/step.ts";
import { API_SERVER_FOLDER, ENCRYPTION_FILE } from "../machine-paths.ts";
import { machineOf, putText } from "../steps/on-machine.ts";
import { encryptionConfiguration, readConfiguration } from "./configuration.ts";
import { readRing } from "./kept-ring.ts";
import { isInUse, type KeyRing } from "./key-ring.ts";

/** Gives a control plane the keys of its cluster, before an API server starts there. False where there are none. */
export async function putKeys(context: StepContext): Promise<boolean> {
  const ring = await readRing(context);
  if (!isInUse(ring)) return false;
  const machine = await machineOf(context);
  await assertNoStrangers(context, machine, ring);
  await machine.run({ argv: ["mkdir", "-p", "-m", "700", API_SERVER_FOLDER] }, { signal: context.signal });
  await putText(machine, ENCRYPTION_FILE, encryptionConfiguration(ring));
  return true;
}

/** A key that only this machine has may be the only one that reads what is in the database: it is not written over. */
async function assertNoStrangers({ step, signal }: StepContext, machine: RemoteMachine, ring: KeyRing): Promise<void> {
  const [file] = await runAll(machine, [{ argv: ["cat", ENCRYPTION_FILE] }], { signal });
  if (file?.exitCode !== 0) return;
  const known = new Set([...ring.keys.map(({ name }) => name), ...ring.former]);
  const strangers = readConfiguration(file.stdout).keys.flatMap(({ name }) => (known.has(name) ? [] : [name]));
  if (strangers.length === 0) return;
  throw new DroverError(
    "encryption-keys-unknown",
    `${ENCRYPTION_FILE} on ${step.host} has keys that Drover does not have: ${strangers.join(", ")}. Nothing was changed there. Restore a newer backup of Drover's store, which has them.`,
  );
}
