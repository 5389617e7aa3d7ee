import { join } from "node:path";
import { type ClusterSpec, DroverError } from "@drover/contract";
import { readTarFile } from "../../../lib/read-tar.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import { asMachine, type RemoteMachine } from "../../../ports/machines.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { SNAPSHOT_FILE } from "../backup-files.ts";
import { hasSeparateEtcd, versionOf } from "../declared.ts";
import { readConfiguration } from "../encryption/configuration.ts";
import { etcdctl } from "../etcd/members.ts";
import { countObjects, ensureEtcdutl, findHealthyMember, readSnapshotStatus } from "../etcd-on-machine.ts";
import type { SshHost } from "../host.ts";
import { type BackupFacts, keepBackup } from "../keep-backup.ts";
import { BACKUP_FOLDER, ENCRYPTION_FILE, VERSION_NOTE } from "../machine-paths.ts";
import { findControlPlane } from "./join-ssh-node.ts";
import { workMark } from "./on-machine.ts";

const AUTHORITY = "/etc/kubernetes/pki/ca.crt";
/** What a cluster cannot be without: everything else is issued by these, or is in the snapshot. */
const AUTHORITIES = [
  ...[
    "etc/kubernetes/pki/ca.crt",
    "etc/kubernetes/pki/ca.key",
    "etc/kubernetes/pki/sa.pub",
    "etc/kubernetes/pki/sa.key",
  ],
  ...["etc/kubernetes/pki/front-proxy-ca.crt", "etc/kubernetes/pki/front-proxy-ca.key"],
];
/** A database apart has an authority of its own, which is made anew with it. */
const authoritiesOf = (spec: ClusterSpec): readonly string[] =>
  hasSeparateEtcd(spec)
    ? AUTHORITIES
    : [...AUTHORITIES, "etc/kubernetes/pki/etcd/ca.crt", "etc/kubernetes/pki/etcd/ca.key"];

/** A snapshot of the database and the keys of the authorities, fetched and kept at their destination. */
export function takeSshBackup(host: SshHost): Step {
  return {
    name: "take-ssh-backup",
    precheck: async ({ backups, job }) => (await backups.list()).some(({ id }) => id === job.id),
    run: async (context) => {
      const text = `Take a snapshot of the database of ${context.cluster.name}, and keep it with the keys`;
      await context.change(context.step.host, text, () => take(host, context));
    },
  };
}

async function take(host: SshHost, context: StepContext): Promise<void> {
  const { archive } = host.parts;
  const node = await findHealthyMember(host, context);
  const machine = asMachine(await context.connect(node));
  const control = hasSeparateEtcd(context.cluster.spec) ? await findKeys(host, context) : machine;
  const facts = await snapshot(host, context, machine, control, await archive.openWorkFolder(context.job.id));
  const keys = await control.get(keysPath(context));
  assertWhole(keys, context, control, facts);
  await keepBackup(host, context, { node, facts, keys });
  for (const one of [machine, control]) {
    await one.run({ argv: ["rm", "-rf", BACKUP_FOLDER] }, { signal: context.signal });
  }
  await archive.clearWorkFolder(context.job.id);
}

/** A backup without them is found to be of no use when it is needed. */
function assertWhole(keys: Uint8Array, { cluster }: StepContext, { host }: RemoteMachine, facts: BackupFacts): void {
  const needed = authoritiesOf(cluster.spec).map((name) => `/${name}`);
  const all = facts.encryptedWith === undefined ? needed : [...needed, ENCRYPTION_FILE];
  const missing = all.filter((path) => (readTarFile(keys, path)?.length ?? 0) === 0);
  if (missing.length === 0) return;
  throw new DroverError(
    "step-failed",
    `A backup without ${missing.join(", ")} of ${host} would be of no use: bring them back there, such as from another control plane or the last backup.`,
  );
}

/** Apart from the database, its keys are on any control plane. */
async function findKeys(host: SshHost, context: StepContext): Promise<RemoteMachine> {
  const found = await findControlPlane(host, context);
  if (found !== null) return found;
  throw new DroverError("cluster-not-ready", `No control plane of ${context.cluster.name} can be asked for its keys.`);
}

const snapshotPath = ({ job }: StepContext): string => `${BACKUP_FOLDER}/${job.id}.db`;
const keysPath = ({ job }: StepContext): string => `${BACKUP_FOLDER}/${job.id}.tar`;

/** On a machine with the database, and the control plane that has the keys: mostly the same. */
async function snapshot(
  host: SshHost,
  context: StepContext,
  machine: RemoteMachine,
  control: RemoteMachine,
  folder: string,
): Promise<BackupFacts> {
  const { signal, cluster } = context;
  const path = snapshotPath(context);
  const marked = { mark: workMark(context) };
  await machine.endMarked(workMark(context));
  // What an attempt that was cut off has left.
  for (const one of [machine, control]) {
    await one.run({ argv: ["rm", "-rf", BACKUP_FOLDER] }, { signal });
    await runOrThrow(one, { argv: ["mkdir", "-p", "-m", "700", BACKUP_FOLDER] }, { signal });
  }
  await ensureEtcdutl(host, context, machine);
  const save = etcdctl(cluster.spec, "snapshot", "save", path);
  await runOrThrow(machine, { argv: save, ...marked }, { signal, tied: true });
  const etcd = await readSnapshotStatus(machine, path, context);
  const objects = await countObjects(machine, etcdctl(cluster.spec), etcd.revision, context);
  const archived = [
    "tar",
    "-C",
    "/",
    "-cf",
    keysPath(context),
    "--ignore-failed-read",
    ...authoritiesOf(cluster.spec),
    // Of the moment of the snapshot: what a later rotation has dropped is still needed to read it.
    ENCRYPTION_FILE.slice(1),
  ] as const;
  await runOrThrow(control, { argv: archived }, { signal });
  const sumOf = async (one: RemoteMachine, file: string) =>
    (await runOrThrow(one, { argv: ["sha256sum", file] }, { signal })).stdout.split(" ")[0] ?? "";
  const authority = await sumOf(control, AUTHORITY);
  const sha256 = await sumOf(machine, path);
  await machine.fetchFile(path, join(folder, SNAPSHOT_FILE), { sha256, signal });
  const { stdout } = await machine.run({ argv: ["cat", VERSION_NOTE] }, { signal });
  const keys = await control.run({ argv: ["cat", ENCRYPTION_FILE] }, { signal });
  const encryption = keys.exitCode === 0 ? { encryptedWith: readConfiguration(keys.stdout).order } : {};
  const kubernetesVersion = stdout.trim() || versionOf(cluster.spec);
  return { kubernetesVersion, etcd, objects, authority, ...encryption };
}
