import { join } from "node:path";
import { DroverError } from "@drover/contract";
import { waitForNodes } from "../../../containers/wait-for-nodes.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import { asMachine, type RemoteMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { backupOfStep, fetchBackup, SNAPSHOT_FILE } from "../backup-files.ts";
import { controlPlanesOf, etcdNodesOf, firstControlPlane, hasSeparateEtcd } from "../declared.ts";
import { readRing } from "../encryption/kept-ring.ts";
import { isInUse } from "../encryption/key-ring.ts";
import { startWithKeys } from "../encryption/restart-with-keys.ts";
import { dataMarkOf, dataOf, peerUrl } from "../etcd/database.ts";
import { type EtcdManifest, ensureEtcdutl, isEtcdHealthy, readEtcdManifest } from "../etcd-on-machine.ts";
import { isMemberOf, type SshHost } from "../host.ts";
import { answersHere } from "../local-api.ts";
import { explainFull } from "../machine-full.ts";
import { ETCD_UNIT } from "../machine-paths.ts";
import { RESTORE_SNAPSHOT, STOPPED_MANIFESTS, stagedStep, wentOnSince } from "../restore-stage.ts";
import { BUILD_ETCD, RESTORE_ETCD, START_COMPONENTS, STOP_COMPONENTS } from "../scripts/control-plane.ts";
import { argvOf } from "../scripts/script.ts";
import { STOP_UNIT } from "../scripts/stop-unit.ts";
import { noteSettings } from "./configure-ssh-control-plane.ts";
import { describeInit, runPhase } from "./kubeadm-phase.ts";
import { putText, runScript, work } from "./on-machine.ts";

const DATABASE = "etcd";
const OTHERS = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

/** The steps that take the database of every control plane back, in their order. */
export function restoreSteps(host: SshHost): readonly Step[] {
  return [
    stagedStep(
      "bring-ssh-snapshot",
      "brought",
      (node) => `Bring the snapshot to ${node}`,
      async (context, machine) => {
        const backup = await backupOfStep(context);
        const folder = await fetchBackup(host, context, backup);
        await ensureEtcdutl(host, context, machine);
        const { sha256 } = backup.manifest.snapshot;
        const { signal } = context;
        await machine.sendFile(join(folder, SNAPSHOT_FILE), RESTORE_SNAPSHOT, { sha256, signal });
        if (!(await wentOnSince(context))) return;
        const own = (await listMembers(host, context)).get(context.step.host) as RestoredMember;
        await runOrThrow(machine, { argv: ["rm", "-rf", besideOf(own)] }, { signal });
      },
    ),
    // Whatever may be wrong with the snapshot, or too little for it, shows while the cluster still runs.
    stagedStep(
      "build-ssh-etcd",
      "built",
      (node) => `Make a database of the snapshot on ${node}, beside that of now`,
      async (context) => {
        const members = await listMembers(host, context);
        const own = members.get(context.step.host) as RestoredMember;
        await work(context, argvOf(BUILD_ETCD, ...databaseFor(context, members, besideOf(own)))).catch(
          (error: unknown) => {
            throw explainFull(context.step.host, own.dataDirectory, error);
          },
        );
      },
    ),
    stagedStep(
      "stop-ssh-control-plane",
      "stopped",
      (node) => `Stop the control plane on ${node}`,
      async (context) => {
        const own = hasSeparateEtcd(context.cluster.spec) ? [] : [DATABASE];
        await work(context, argvOf(STOP_COMPONENTS, STOPPED_MANIFESTS, ...OTHERS, ...own));
      },
    ),
    stagedStep(
      "stop-ssh-etcd",
      "stopped",
      (node) => `Stop the database on ${node}`,
      async (context) => void (await work(context, argvOf(STOP_UNIT, ETCD_UNIT))),
    ),
    stagedStep(
      "restore-ssh-etcd",
      "restored",
      (node) => `Put the snapshot in the place of the database on ${node}`,
      async (context, machine) => {
        const members = await listMembers(host, context);
        const own = members.get(context.step.host) as RestoredMember;
        await work(context, argvOf(RESTORE_ETCD, ...databaseFor(context, members, own.dataDirectory)));
        const { spec, id } = context.cluster;
        if (hasSeparateEtcd(spec)) await putText(machine, dataMarkOf(spec), `${id}\n`);
      },
    ),
    // All of them begin before any is waited for: one alone has no majority.
    stagedStep(
      "begin-ssh-etcd",
      "begun",
      (node) => `Start the database on ${node}`,
      async (context, machine) => {
        if (!hasSeparateEtcd(context.cluster.spec)) {
          await runScript(context, START_COMPONENTS, STOPPED_MANIFESTS, DATABASE);
          return;
        }
        for (const verb of ["enable", "restart"]) {
          await runOrThrow(machine, { argv: ["systemctl", verb, "-q", ETCD_UNIT] }, { signal: context.signal });
        }
      },
    ),
    stagedStep(
      "await-ssh-etcd",
      "started",
      (node) => `Wait for the database on ${node}`,
      (context, machine) => waitForEtcd(host, context, machine),
    ),
    stagedStep(
      "start-ssh-control-plane",
      "started",
      (node) => `Start the control plane on ${node}`,
      async (context, machine) => {
        const { timer } = host.parts;
        if (!hasSeparateEtcd(context.cluster.spec)) await waitForEtcd(host, context, machine);
        if (isInUse(await readRing(context))) {
          await startEncrypted(host, context, machine);
          return;
        }
        await runScript(context, START_COMPONENTS, STOPPED_MANIFESTS, ...OTHERS);
        const findApi = async () => ((await answersHere(machine, context)) ? null : "The API does not answer yet.");
        await waitForNodes(findApi, context, timer);
      },
    ),
    // A node that came after the backup enters itself anew only when its kubelet starts.
    stagedStep(
      "refresh-ssh-kubelet",
      "refreshed",
      (node) => `Restart the kubelet of ${node}`,
      async ({ signal }, machine) => {
        await runOrThrow(machine, { argv: ["systemctl", "restart", "kubelet"] }, { signal });
      },
    ),
  ];
}

/** With the keys that the backup was written with: without them the API server would not come up. */
async function startEncrypted(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<void> {
  const [server, ...others] = OTHERS;
  await describeInit(context, true);
  await runScript(context, START_COMPONENTS, STOPPED_MANIFESTS, ...others);
  await startWithKeys(host, context);
  await runOrThrow(machine, { argv: ["rm", "-f", `${STOPPED_MANIFESTS}/${server}.yaml`] }, { signal: context.signal });
  // What kubeadm has noted in the cluster is as old as the backup, and may know of no keys.
  if (firstControlPlane(context.cluster.spec).name === context.step.host) {
    await runPhase(context, "upload-config", "kubeadm");
  }
  await noteSettings(context);
}

async function waitForEtcd(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<void> {
  const find = async () => ((await isEtcdHealthy(machine, context)) ? null : "The database does not answer yet.");
  await waitForNodes(find, context, host.parts.timer);
}

type RestoredMember = Pick<EtcdManifest, "name" | "peerUrl" | "dataDirectory">;

const besideOf = ({ dataDirectory }: RestoredMember): string => `${dataDirectory}/drover-restore`;

/** The same database on all members, one of which is made of the snapshot in this folder. */
function databaseFor(
  { job, step }: StepContext,
  members: ReadonlyMap<string, RestoredMember>,
  folder: string,
): readonly string[] {
  const own = members.get(step.host) as RestoredMember;
  const all = [...members.values()].map(({ name, peerUrl }) => `${name}=${peerUrl}`).sort();
  return [job.id, RESTORE_SNAPSHOT, folder, own.name, own.peerUrl, all.join(","), `restore-${job.id}`];
}

/** By their nodes, as each was started before: the new database has the same members, but for those that were lost. */
async function listMembers(host: SshHost, context: StepContext): Promise<ReadonlyMap<string, RestoredMember>> {
  const { cluster, signal } = context;
  if (hasSeparateEtcd(cluster.spec)) {
    const dataDirectory = dataOf(cluster.spec);
    return new Map(
      etcdNodesOf(cluster.spec).map((node) => [node.name, { name: node.name, peerUrl: peerUrl(node), dataDirectory }]),
    );
  }
  const names = controlPlanesOf(cluster.spec).map(({ name }) => name);
  const seen = await host.seeAll(cluster, names, signal);
  for (const one of seen) if ("unreachable" in one) throw new DroverError("machine-unreachable", one.unreachable);
  const found = await Promise.all(
    seen
      .filter((one) => isMemberOf(cluster.id, one))
      .map(async ({ node }) => {
        const machine = asMachine(await context.connect(node));
        const folders = [STOPPED_MANIFESTS, "/etc/kubernetes/manifests"];
        const commands = folders.map((folder) => ({ argv: ["cat", `${folder}/etcd.yaml`] as [string, string] }));
        const texts = (await runAll(machine, commands, { signal })).map((one) => one?.stdout ?? "");
        const member = readEtcdManifest(texts.find((text) => text !== "") ?? "");
        if (member !== null) return [node, member] as const;
        throw new DroverError("step-failed", `${node} does not say how its member of the database was started.`);
      }),
  );
  return new Map(found);
}
