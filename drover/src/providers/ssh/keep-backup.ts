import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BackupManifest, describePlace } from "../../domain/backup.ts";
import type { StepContext } from "../../ports/step.ts";
import { describeFile, KEYS_FILE, SNAPSHOT_FILE, sealNameOf, sendBackup } from "./backup-files.ts";
import { sshPart } from "./declared.ts";
import type { SshHost } from "./host.ts";

/** What was found out about a snapshot when it was taken. */
export type BackupFacts = Pick<
  BackupManifest,
  "kubernetesVersion" | "etcd" | "objects" | "authority" | "encryptedWith"
>;

/**
 * Keeps a snapshot that lies in the job's work folder at its destination, with what it is of no use without, which is
 * sealed; then it is listed.
 */
export async function keepBackup(
  host: SshHost,
  context: StepContext,
  { node, facts, keys }: { readonly node: string; readonly facts: BackupFacts; readonly keys: Uint8Array },
): Promise<void> {
  const { archive } = host.parts;
  const { cluster, job } = context;
  const folder = await archive.openWorkFolder(job.id);
  const sealed = archive.seal(sealNameOf(cluster.id, job.id), keys);
  await writeFile(join(folder, KEYS_FILE), sealed, { mode: 0o600 });
  const manifest: BackupManifest = {
    ...{ format: 1, id: job.id, cluster: { id: cluster.id, name: cluster.name }, node },
    takenAt: new Date(host.parts.clock.now()).toISOString(),
    ...facts,
    snapshot: await describeFile(folder, SNAPSHOT_FILE),
    keys: await describeFile(folder, KEYS_FILE),
  };
  const place = archive.placeFor(sshPart(cluster.spec).backup?.destination, cluster.name, job.id);
  await sendBackup(host, context, folder, place, manifest);
  await context.backups.keep({ id: job.id, place, manifest });
  context.log(
    `${manifest.etcd.keys} keys at revision ${manifest.etcd.revision} of ${node}: ${manifest.snapshot.bytes} bytes in ${describePlace(place)}.`,
  );
}
