import { join } from "node:path";
import { runOrThrow } from "../../../../ports/connector.ts";
import { asMachine, type RemoteMachine } from "../../../../ports/machines.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import { SNAPSHOT_FILE } from "../../backup-files.ts";
import { versionOf } from "../../declared.ts";
import { findHealthyMember } from "../../etcd-on-machine.ts";
import type { SshHost } from "../../host.ts";
import { type BackupFacts, keepBackup } from "../../keep-backup.ts";
import { BACKUP_FOLDER, VERSION_NOTE } from "../../machine-paths.ts";
import { K3S_AUTHORITY, K3S_PROGRAM } from "../k3s-paths.ts";
import { hasDatabase, saveSnapshot } from "../k3s-snapshot.ts";
import { readNodeToken } from "../k3s-token.ts";
import { readSnapshot } from "../read-snapshot.ts";

/** A snapshot of the database and the token that opens the authorities in it, fetched and kept at their destination. */
export function takeK3sBackup(host: SshHost): Step {
  return {
    name: "take-k3s-backup",
    precheck: async ({ backups, job }) => (await backups.list()).some(({ id }) => id === job.id),
    run: async (context) => {
      const text = `Take a snapshot of the database of ${context.cluster.name}, and keep it with the token`;
      await context.change(context.step.host, text, () => take(host, context));
    },
  };
}

async function take(host: SshHost, context: StepContext): Promise<void> {
  const { archive } = host.parts;
  const { signal, job } = context;
  const node = await findHealthyMember(host, context, hasDatabase);
  const machine = asMachine(await context.connect(node));
  // What an attempt that was cut off has left.
  await machine.run({ argv: ["rm", "-rf", BACKUP_FOLDER] }, { signal });
  const path = await saveSnapshot(context, machine, BACKUP_FOLDER, job.id);
  const facts = await fetchSnapshot(context, machine, path, join(await archive.openWorkFolder(job.id), SNAPSHOT_FILE));
  await keepBackup(host, context, { node, facts, keys: Buffer.from(await readNodeToken(context, machine)) });
  // k3s keeps a list of snapshots: it is told that this one goes.
  const name = path.slice(path.lastIndexOf("/") + 1);
  const forget = [K3S_PROGRAM, "etcd-snapshot", "delete", "--etcd-snapshot-dir", BACKUP_FOLDER, name] as const;
  await machine.run({ argv: forget }, { signal });
  await machine.run({ argv: ["rm", "-rf", BACKUP_FOLDER] }, { signal });
  await archive.clearWorkFolder(job.id);
}

async function fetchSnapshot(
  { signal, cluster }: StepContext,
  machine: RemoteMachine,
  path: string,
  to: string,
): Promise<BackupFacts> {
  const sums = await runOrThrow(machine, { argv: ["sha256sum", path, K3S_AUTHORITY] }, { signal });
  const [sha256 = "", authority = ""] = sums.stdout.split("\n").map((line) => line.split(" ")[0] ?? "");
  await machine.fetchFile(path, to, { sha256, signal });
  const { stdout } = await machine.run({ argv: ["cat", VERSION_NOTE] }, { signal });
  return { kubernetesVersion: stdout.trim() || versionOf(cluster.spec), authority, ...(await readSnapshot(to)) };
}
