import type { StepContext } from "../../../ports/step.ts";
import { hasSeparateEtcd } from "../declared.ts";
import { CONTAINERD_SOCKET, MARK_PATH, PROGRAM_FOLDER, VERSION_NOTE, VIRTUAL_ADDRESS_NOTE } from "../machine-paths.ts";
import { formatMark, STAGES, type Stage } from "../mark.ts";
import { DROP_VIRTUAL_ADDRESS } from "../scripts/virtual-address.ts";
import { lookFor, machineOf, putText, runScript, work } from "./on-machine.ts";

/** Whether the machine has come at least that far. */
export async function hasReached(context: StepContext, stage: Stage): Promise<boolean> {
  const { mark } = await lookFor(context);
  if (mark?.clusterId !== context.cluster.id) return false;
  return STAGES.indexOf(mark.stage) >= STAGES.indexOf(stage);
}

/** Only forward. */
export async function reach(context: StepContext, stage: Stage): Promise<void> {
  const { mark } = await lookFor(context);
  if (mark === null || STAGES.indexOf(mark.stage) >= STAGES.indexOf(stage)) return;
  await putText(await machineOf(context), MARK_PATH, formatMark({ ...mark, stage }), 0o644);
}

/** From here on the machine is a node of that version. */
export async function becomeMember(context: StepContext, version: string): Promise<void> {
  await putText(await machineOf(context), VERSION_NOTE, version);
  await reach(context, "member");
}

/** What an attempt that was cut off has left on a machine that never became a member. */
export async function clearAttempt(context: StepContext): Promise<void> {
  const { traces } = await lookFor(context);
  const machine = await machineOf(context);
  await machine.endMarked(`cluster-${context.cluster.id}`);
  const { stdout } = await machine.run({ argv: ["ls", "-A", "/etc/kubernetes/manifests"] }, { signal: context.signal });
  if (traces.length === 0 && stdout.trim() === "") return;
  context.log("An earlier attempt was cut off; what it left is cleared away first.");
  // A database that runs apart is nothing that an attempt to join has left.
  const kept = hasSeparateEtcd(context.cluster.spec) ? ["--skip-phases", "remove-etcd-member"] : [];
  const how = ["--force", "--cri-socket", CONTAINERD_SOCKET, ...kept];
  await work(context, [`${PROGRAM_FOLDER}/kubeadm`, "reset", ...how]);
  await runScript(context, DROP_VIRTUAL_ADDRESS, VIRTUAL_ADDRESS_NOTE);
  await machine.run({ argv: ["systemctl", "enable", "-q", "kubelet"] }, { signal: context.signal });
}
