import { DroverError } from "@drover/contract";
import { isCommandError } from "../../lib/command-error.ts";
import { readMachine } from "../../machines/machine-ref.ts";
import { asMachine } from "../../ports/machines.ts";
import { runAll } from "../../ports/run-all.ts";
import type { StepContext } from "../../ports/step.ts";
import { sshPart } from "./declared.ts";
import type { SshHost } from "./host.ts";
import { unitOf } from "./k3s/k3s-paths.ts";
import { clearK3s } from "./k3s/k3s-unit.ts";
import { isAboutLost } from "./lost-machines.ts";
import { lookAtMachine } from "./machine-look.ts";
import {
  CONTAINERD_DATA,
  CONTAINERD_SOCKET,
  MARK_FOLDER,
  PROGRAM_FOLDER,
  STATE_FOLDER,
  VIRTUAL_ADDRESS_NOTE,
} from "./machine-paths.ts";
import { FORGET_MACHINE } from "./scripts/claim-machine.ts";
import { CLEAR_KUBERNETES } from "./scripts/clear-kubernetes.ts";
import { RESTORE_AS_FOUND } from "./scripts/note-as-found.ts";
import { argvOf, type Script } from "./scripts/script.ts";
import { DROP_VIRTUAL_ADDRESS } from "./scripts/virtual-address.ts";
import { work } from "./steps/on-machine.ts";

/**
 * Gives a machine back as it was found: Kubernetes goes, everything that was noted is put back, the mark goes last. May be
 * cut off anywhere and begun again. A machine without our mark is not touched.
 */
export async function releaseMachine(_host: SshHost, context: StepContext): Promise<void> {
  if (await isAboutLost(context)) {
    context.log(`${context.step.host} is gone for good, as the spec says: nothing is undone there.`);
    return await forgetInLedger(context);
  }
  const machine = asMachine(await context.connect(context.step.host));
  const { mark } = await lookAtMachine(machine, context.signal);
  if (mark?.clusterId === context.cluster.id) {
    if (await wasForK3s(context)) await clearK3s(context);
    else await clearKubernetes(context);
    await step(context, RESTORE_AS_FOUND, STATE_FOLDER);
    await step(context, FORGET_MACHINE, STATE_FOLDER, MARK_FOLDER);
    const after = await lookAtMachine(machine, context.signal);
    if (after.mark !== null) {
      throw new DroverError(
        "machine-not-restored",
        `${context.step.host} still says that it is a node of ${after.mark.clusterName}.`,
      );
    }
  }
  await forgetInLedger(context);
}

/** By what was noted there: of a cluster that is made anew the spec may say something else by now. */
async function wasForK3s(context: StepContext): Promise<boolean> {
  const machine = asMachine(await context.connect(context.step.host));
  const argv = ["grep", "-c", `unit:${unitOf(true)}`, `${STATE_FOLDER}/as-found.tsv`] as const;
  const [found] = await runAll(machine, [{ argv }], { signal: context.signal });
  return found?.exitCode === 0;
}

async function clearKubernetes(context: StepContext): Promise<void> {
  const data = sshPart(context.cluster.spec).containerd.dataDirectory ?? CONTAINERD_DATA;
  if (await hasKubeadm(context)) await reset(context);
  await step(context, CLEAR_KUBERNETES, STATE_FOLDER, data);
  await step(context, DROP_VIRTUAL_ADDRESS, VIRTUAL_ADDRESS_NOTE);
}

async function hasKubeadm(context: StepContext): Promise<boolean> {
  const machine = asMachine(await context.connect(context.step.host));
  const [found] = await runAll(machine, [{ argv: ["test", "-x", `${PROGRAM_FOLDER}/kubeadm`] }], {
    signal: context.signal,
  });
  return found?.exitCode === 0;
}

/**
 * What kubeadm leaves is cleared away after it. The place in the database is not its to give up: of a node that leaves the
 * others have forgotten it already, and of a cluster that goes nobody is left to ask, which kubeadm would try for minutes.
 */
async function reset(context: StepContext): Promise<void> {
  try {
    const how = ["--force", "--cri-socket", CONTAINERD_SOCKET, "--skip-phases", "remove-etcd-member"];
    await work(context, [`${PROGRAM_FOLDER}/kubeadm`, "reset", ...how]);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isCommandError(error, "failed")) throw error;
    context.log(`kubeadm reset did not come to its end: ${error.message} What it left is cleared away now.`);
  }
}

async function step(context: StepContext, script: Script, ...values: readonly string[]): Promise<void> {
  try {
    await work(context, argvOf(script, ...values));
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isCommandError(error, "failed")) throw error;
    const why = error.stderr.trim() || error.message;
    throw new DroverError("machine-not-restored", `${context.step.host} is not yet as it was found. ${why}`, {
      cause: error,
    });
  }
}

async function forgetInLedger({ step: { host }, ledger }: StepContext): Promise<void> {
  for (const row of await ledger.list()) {
    const machine = readMachine(row);
    if (machine === null) continue;
    if (machine.node === host || `${machine.address}:${machine.port}` === host) await ledger.gone(row.id);
  }
}
