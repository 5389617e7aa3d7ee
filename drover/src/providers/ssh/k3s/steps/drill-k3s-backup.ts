import { join } from "node:path";
import { type ClusterSpec, DroverError } from "@drover/contract";
import { stringify } from "yaml";
import { waitForNodes } from "../../../../containers/wait-for-nodes.ts";
import { describeDifference } from "../../../../domain/backup.ts";
import { listAt } from "../../../../domain/json-fields.ts";
import { runOrThrow } from "../../../../ports/connector.ts";
import type { RemoteMachine } from "../../../../ports/machines.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import type { BackupRecord } from "../../../../ports/store/index.ts";
import { SNAPSHOT_FILE } from "../../backup-files.ts";
import { sshPart } from "../../declared.ts";
import { BadBackup, compareStatus, DRILL_FOLDER, DRILL_SNAPSHOT, drillStep, fetchOrBlame } from "../../drill-backup.ts";
import { findHealthyMember } from "../../etcd-on-machine.ts";
import type { SshHost } from "../../host.ts";
import { argvOf } from "../../scripts/script.ts";
import { putText } from "../../steps/on-machine.ts";
import { environmentText } from "../k3s-config.ts";
import { K3S_DATA, K3S_PROGRAM } from "../k3s-paths.ts";
import { hasDatabase } from "../k3s-snapshot.ts";
import { openTokenOf } from "../k3s-token.ts";
import { BadSnapshot, readSnapshot, type SnapshotContent } from "../read-snapshot.ts";
import { ASK_K3S_DRILL, CLEAR_K3S_DRILL, START_K3S_DRILL } from "../scripts/drill-k3s.ts";

/** Addresses for examples: nobody else has them, and nothing is sent to them. */
const [ADDRESS, ADDRESS_V6] = ["192.0.2.1", "2001:db8::1"];
/** How the question to the API ends where k3s has ended. */
const [NOT_RESTORED, ENDED] = [3, 4];

export const drillK3sBackup = (host: SshHost): Step =>
  drillStep(host, "drill-k3s-backup", {
    findNode: (context) => findHealthyMember(host, context, hasDatabase),
    prove: (context, machine, backup) => prove(host, context, machine, backup),
    clear: CLEAR_K3S_DRILL,
  });

async function prove(
  host: SshHost,
  context: StepContext,
  machine: RemoteMachine,
  backup: BackupRecord,
): Promise<string> {
  const { signal } = context;
  const { manifest } = backup;
  const folder = await fetchOrBlame(host, context, backup);
  const { etcd, objects } = await readOrBlame(join(folder, SNAPSHOT_FILE));
  compareStatus(etcd, backup);
  const difference = describeDifference(manifest.objects, objects);
  if (difference !== null) throw new BadBackup(`it has other objects than it should have: ${difference}`);
  const token = await openTokenOf(host, context, backup).catch((error: unknown) => {
    throw new BadBackup(`its token does not open: ${error instanceof Error ? error.message : String(error)}`);
  });
  await runOrThrow(machine, { argv: ["mkdir", "-p", "-m", "700", DRILL_FOLDER] }, { signal });
  await machine.sendFile(join(folder, SNAPSHOT_FILE), DRILL_SNAPSHOT, { sha256: manifest.snapshot.sha256, signal });
  await putText(machine, `${DRILL_FOLDER}/token.env`, environmentText({ K3S_TOKEN: token }));
  await putText(machine, `${DRILL_FOLDER}/config.yaml`, drillConfig(context.cluster.spec));
  const start = argvOf(START_K3S_DRILL, DRILL_FOLDER, K3S_DATA, K3S_PROGRAM, addressFor(context.cluster.spec));
  await runOrThrow(machine, { argv: start }, { signal });
  const namespaces = await countNamespaces(host, context, machine);
  if (namespaces !== manifest.objects["namespaces"]) {
    throw new BadBackup(`an API server finds ${namespaces} namespaces in it, not ${manifest.objects["namespaces"]}`);
  }
  const total = Object.values(objects).reduce((sum, count) => sum + count, 0);
  return `hash, revision ${etcd.revision} and ${etcd.keys} keys are as they were, and so are ${total} objects of ${Object.keys(objects).length} resources; its token opens it; a server of k3s that was made of it reads ${namespaces} namespaces.`;
}

async function readOrBlame(path: string): Promise<SnapshotContent> {
  try {
    return await readSnapshot(path);
  } catch (error) {
    if (error instanceof BadSnapshot) throw new BadBackup(error.message);
    throw error;
  }
}

const addressFor = ({ networking }: ClusterSpec): string =>
  networking?.podSubnet.split(",")[0]?.includes(":") === true ? ADDRESS_V6 : ADDRESS;

/** A server that answers, and does nothing by itself. */
function drillConfig(spec: ClusterSpec): string {
  const { networking } = spec;
  const { etcd, k3sArgs = [] } = sshPart(spec);
  const encryption = k3sArgs.filter(({ name }) => name.startsWith("secrets-encryption"));
  return stringify({
    "node-name": "drover-drill",
    "node-ip": addressFor(spec),
    "advertise-address": addressFor(spec),
    "write-kubeconfig": `${DRILL_FOLDER}/kubeconfig`,
    ...(networking === undefined
      ? {}
      : {
          "cluster-cidr": networking.podSubnet,
          "service-cidr": networking.serviceSubnet,
          "cluster-domain": networking.dnsDomain,
        }),
    "flannel-backend": "none",
    "disable-agent": true,
    "disable-controller-manager": true,
    "disable-scheduler": true,
    "disable-cloud-controller": true,
    "disable-helm-controller": true,
    "disable-kube-proxy": true,
    "disable-network-policy": true,
    "etcd-disable-snapshots": true,
    ...(etcd.extraArgs === undefined
      ? {}
      : { "etcd-arg": etcd.extraArgs.map(({ name, value }) => `${name}=${value}`) }),
    ...Object.fromEntries(encryption.map(({ name, value }) => [name, value === "true" ? true : value])),
    // Where there is a kubelet all the same, the pods of the machine are not its to take for left over.
    "kubelet-arg": ["cgroups-per-qos=false", "enforce-node-allocatable=", `root-dir=${DRILL_FOLDER}/kubelet`],
  });
}

async function countNamespaces(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<number> {
  const argv = argvOf(ASK_K3S_DRILL, DRILL_FOLDER, K3S_PROGRAM, "/api/v1/namespaces");
  let list = "";
  const find = async () => {
    const { exitCode, stdout, stderr } = await machine.run({ argv }, { signal: context.signal, keepBytes: 16 << 20 });
    const why = stderr.trim().split("\n").join(" ");
    if (exitCode === NOT_RESTORED) throw new BadBackup(`k3s makes no cluster of it: ${why}`);
    if (exitCode === ENDED) throw new DroverError("step-failed", `The server of the drill has ended: ${why}`);
    list = stdout;
    return exitCode === 0 ? null : "The server of the drill does not answer yet.";
  };
  await waitForNodes(find, context, host.parts.timer);
  return listAt(JSON.parse(list), "items").length;
}
