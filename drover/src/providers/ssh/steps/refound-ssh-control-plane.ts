import { join } from "node:path";
import { DroverError } from "@drover/contract";
import { runOrThrow } from "../../../ports/connector.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { backupOfStep, fetchBackup, openKeys, SNAPSHOT_FILE } from "../backup-files.ts";
import { addressAmongNodes, bracket, controlPlanesOf, nodeNamed, sshPart } from "../declared.ts";
import { ensureEtcdutl } from "../etcd-on-machine.ts";
import { isMemberOf, type SshHost } from "../host.ts";
import { ETCD_DATA } from "../machine-paths.ts";
import { noteStage, RESTORE_FOLDER, RESTORE_SNAPSHOT } from "../restore-stage.ts";
import { RESTORE_ETCD } from "../scripts/control-plane.ts";
import { argvOf } from "../scripts/script.ts";
import { assertNoOther, startControlPlane } from "./init-ssh-control-plane.ts";
import { clearAttempt, hasReached } from "./member.ts";
import { machineOf, work } from "./on-machine.ts";

/** The same, left out on a machine that is a node already. */
export const ifLost = (step: Step): Step => ({
  ...step,
  name: `${step.name}-if-lost`,
  precheck: async (context) => (await hasReached(context, "member")) || (await step.precheck(context)),
});

const KEYS = `${RESTORE_FOLDER}/keys.tar`;
const PEER_PORT = 2380;

/**
 * A control plane out of a backup, where none is left. The database is there before the first API server is: nodes that run
 * on never meet an empty cluster, which would have them end their pods.
 */
export function refoundSshControlPlane(host: SshHost): Step {
  return {
    name: "refound-ssh-control-plane",
    precheck: async (context) => (await findLeft(host, context)).length > 0,
    run: (context) => {
      const text = `Start the control plane on ${context.step.host} with the keys and data of the backup`;
      return context.change(context.step.host, text, () => refound(host, context));
    },
  };
}

/** The names of control planes that are nodes, in their order. */
export async function findLeft(host: SshHost, { cluster, signal }: StepContext): Promise<readonly string[]> {
  const names = controlPlanesOf(cluster.spec).map(({ name }) => name);
  const seen = await host.seeAll(cluster, names, signal);
  // One that stayed away would come back with another history.
  for (const one of seen) if ("unreachable" in one) throw new DroverError("machine-unreachable", one.unreachable);
  return seen.filter((one) => isMemberOf(cluster.id, one)).map(({ node }) => node);
}

async function refound(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step, signal, job } = context;
  const backup = await backupOfStep(context);
  const folder = await fetchBackup(host, context, backup);
  const machine = await machineOf(context);
  await assertNoOther(host, context);
  await clearAttempt(context);
  await runOrThrow(machine, { argv: ["mkdir", "-p", "-m", "700", RESTORE_FOLDER] }, { signal });
  await machine.put(KEYS, await openKeys(host, folder, backup), { mode: 0o600 });
  await runOrThrow(machine, { argv: ["tar", "-C", "/", "--no-overwrite-dir", "-xpf", KEYS] }, { signal });
  await machine.run({ argv: ["rm", "-f", KEYS] }, { signal });
  await ensureEtcdutl(host, context, machine);
  const { sha256 } = backup.manifest.snapshot;
  await machine.sendFile(join(folder, SNAPSHOT_FILE), RESTORE_SNAPSHOT, { sha256, signal });
  const data = sshPart(cluster.spec).etcd.dataDirectory ?? ETCD_DATA;
  const peer = `https://${bracket(addressAmongNodes(nodeNamed(cluster.spec, step.host)))}:${PEER_PORT}`;
  const member = [step.host, peer, `${step.host}=${peer}`, `restore-${job.id}`];
  await work(context, argvOf(RESTORE_ETCD, job.id, RESTORE_SNAPSHOT, data, ...member));
  // Its data are what it is about; kubeadm would have the folder empty.
  await startControlPlane(host, context, `--ignore-preflight-errors=DirAvailable-${data.replaceAll("/", "-")}`);
  await noteStage(context, "started");
}
