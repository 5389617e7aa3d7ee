import { join } from "node:path";
import { waitForNodes } from "../../../containers/wait-for-nodes.ts";
import { describeDifference } from "../../../domain/backup.ts";
import { listAt } from "../../../domain/json-fields.ts";
import { listTar, readTarFile } from "../../../lib/read-tar.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import type { BackupRecord } from "../../../ports/store/index.ts";
import { openKeys, SNAPSHOT_FILE } from "../backup-files.ts";
import { hasSeparateEtcd } from "../declared.ts";
import { BadBackup, compareStatus, DRILL_FOLDER, DRILL_SNAPSHOT, drillStep, fetchOrBlame } from "../drill-backup.ts";
import { ETCD_PROGRAM, MEMBER_PKI } from "../etcd/database.ts";
import { type etcdctl, etcdctlAt } from "../etcd/members.ts";
import {
  countObjects,
  ETCDUTL,
  ensureEtcdutl,
  findHealthyMember,
  isEtcdHealthy,
  readEtcdManifest,
  readSnapshotStatus,
} from "../etcd-on-machine.ts";
import type { SshHost } from "../host.ts";
import { answersHere, askHere } from "../local-api.ts";
import { ENCRYPTION_FILE, KUBECTL } from "../machine-paths.ts";
import { CLEAR_DRILL, START_DRILL_API, START_DRILL_ETCD, START_DRILL_MEMBER } from "../scripts/drill.ts";
import { argvOf } from "../scripts/script.ts";
import { putText } from "./on-machine.ts";

const KEYS = `${DRILL_FOLDER}/encryption.yaml`;
const [CLIENT_PORT, PEER_PORT, API_PORT] = [12_379, 12_380, 16_443];
const MANIFESTS = "/etc/kubernetes/manifests";

const drillctl: typeof etcdctl = (...call) => etcdctlAt(`https://127.0.0.1:${CLIENT_PORT}`, ...call);

export const drillSshBackup = (host: SshHost): Step =>
  drillStep(host, "drill-ssh-backup", {
    findNode: (context) => findHealthyMember(host, context),
    prove: (context, machine, backup) => prove(host, context, machine, backup),
    clear: CLEAR_DRILL,
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
  const keys = await checkKeys(host, context, folder, backup);
  await ensureEtcdutl(host, context, machine);
  await runOrThrow(machine, { argv: ["mkdir", "-p", "-m", "700", DRILL_FOLDER] }, { signal });
  await machine.sendFile(join(folder, SNAPSHOT_FILE), DRILL_SNAPSHOT, { sha256: manifest.snapshot.sha256, signal });
  const status = await readSnapshotStatus(machine, DRILL_SNAPSHOT, context);
  compareStatus(status, backup);
  await startDatabase(host, context, machine);
  const objects = await countObjects(machine, drillctl(context.cluster.spec), manifest.etcd.revision, context);
  const difference = describeDifference(manifest.objects, objects);
  if (difference !== null) throw new BadBackup(`it has other objects than it should have: ${difference}`);
  const total = Object.values(objects).reduce((sum, count) => sum + count, 0);
  const asWas = `hash, revision ${status.revision} and ${status.keys} keys are as they were, and so are ${total} objects of ${Object.keys(objects).length} resources`;
  // On a machine that runs the database alone there is nothing of an API server.
  if (hasSeparateEtcd(context.cluster.spec)) return `${asWas}; the keys open.`;
  if (keys !== null) await putText(machine, KEYS, keys);
  const namespaces = await askApi(host, context, machine, keys === null ? "" : KEYS);
  if (namespaces !== manifest.objects["namespaces"]) {
    throw new BadBackup(`an API server finds ${namespaces} namespaces in it, not ${manifest.objects["namespaces"]}`);
  }
  const secrets = keys === null ? null : await countSecrets(context, machine);
  if (secrets !== null && secrets !== (manifest.objects["secrets"] ?? 0)) {
    throw new BadBackup(`an API server reads ${secrets} Secrets in it, not ${manifest.objects["secrets"] ?? 0}`);
  }
  const read = secrets === null ? "" : ` and ${secrets} encrypted Secrets`;
  return `${asWas}; an API server reads ${namespaces} namespaces${read}; the keys open.`;
}

/** What its Secrets were encrypted with, as the API server is given it; null when they were not. */
async function checkKeys(
  host: SshHost,
  { cluster }: StepContext,
  folder: string,
  backup: BackupRecord,
): Promise<string | null> {
  let names: readonly string[];
  let archive: Uint8Array;
  try {
    archive = await openKeys(host, folder, backup);
    names = listTar(archive);
  } catch (error) {
    throw new BadBackup(`its keys do not open: ${error instanceof Error ? error.message : String(error)}`);
  }
  const wanted = ["ca.key", "sa.key", "front-proxy-ca.key", ...(hasSeparateEtcd(cluster.spec) ? [] : ["etcd/ca.key"])];
  const missing = wanted.filter((key) => !names.some((name) => name.endsWith(`/pki/${key}`)));
  if (missing.length > 0) throw new BadBackup(`it lacks the keys ${missing.join(", ")}`);
  return readTarFile(archive, ENCRYPTION_FILE)?.toString() ?? null;
}

async function startDatabase(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<void> {
  const { signal } = context;
  const peer = `https://127.0.0.1:${PEER_PORT}`;
  const restore = [
    ...["snapshot", "restore", DRILL_SNAPSHOT, "--data-dir", `${DRILL_FOLDER}/data`, "--name", "drill"],
    ...["--initial-advertise-peer-urls", peer, "--initial-cluster", `drill=${peer}`],
  ];
  const restored = await machine.run({ argv: ["nice", "-n", "10", ETCDUTL, ...restore] }, { signal });
  if (restored.exitCode !== 0) throw new BadBackup(`no database can be made of it: ${lastLine(restored.stderr)}`);
  await runOrThrow(machine, { argv: await startCall(context, machine) }, { signal });
  const find = async () =>
    (await isEtcdHealthy(machine, context, drillctl)) ? null : "The database of the drill does not answer yet.";
  await waitForNodes(find, context, host.parts.timer);
}

/** As the database of the cluster runs on that machine. */
async function startCall(
  { cluster, signal }: StepContext,
  machine: RemoteMachine,
): Promise<readonly [string, ...string[]]> {
  const ports = [String(CLIENT_PORT), String(PEER_PORT)];
  if (hasSeparateEtcd(cluster.spec)) {
    return argvOf(START_DRILL_MEMBER, DRILL_FOLDER, ETCD_PROGRAM, MEMBER_PKI, ...ports);
  }
  const { stdout } = await runOrThrow(machine, { argv: ["cat", `${MANIFESTS}/etcd.yaml`] }, { signal });
  return argvOf(START_DRILL_ETCD, DRILL_FOLDER, readEtcdManifest(stdout)?.image ?? "", ...ports);
}

/** How many namespaces a real API server reads out of it. */
async function askApi(host: SshHost, context: StepContext, machine: RemoteMachine, keys: string): Promise<number> {
  const { signal } = context;
  const { stdout } = await runOrThrow(machine, { argv: ["cat", `${MANIFESTS}/kube-apiserver.yaml`] }, { signal });
  const image = /image: (\S+)/.exec(stdout)?.[1] ?? "";
  const services = /--service-cluster-ip-range=(\S+)/.exec(stdout)?.[1] ?? "10.96.0.0/12";
  const argv = argvOf(START_DRILL_API, image, String(API_PORT), String(CLIENT_PORT), services, keys);
  await runOrThrow(machine, { argv }, { signal });
  const find = async () =>
    (await answersHere(machine, context, API_PORT)) ? null : "The API server of the drill does not answer yet.";
  await waitForNodes(find, context, host.parts.timer);
  const list = await runOrThrow(
    machine,
    { argv: askHere(API_PORT, "/api/v1/namespaces") },
    { signal, keepBytes: 16 << 20 },
  );
  return listAt(JSON.parse(list.stdout), "items").length;
}

/** Which it can only if it can decrypt them. Their names are all that leaves the machine. */
async function countSecrets({ signal }: StepContext, machine: RemoteMachine): Promise<number> {
  const argv = [...KUBECTL, "--server", `https://127.0.0.1:${API_PORT}`, "get", "secrets", "-A", "-o", "name"] as const;
  const { exitCode, stdout, stderr } = await machine.run({ argv }, { signal, keepBytes: 16 << 20 });
  if (exitCode !== 0) throw new BadBackup(`an API server cannot read its Secrets: ${lastLine(stderr)}`);
  return stdout.split("\n").filter((line) => line !== "").length;
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";
