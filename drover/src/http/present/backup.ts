import type { Backup } from "@drover/contract";
import { describePlace } from "../../domain/backup.ts";
import type { BackupRecord } from "../../ports/store/index.ts";
import { toTime } from "./time.ts";

export function presentBackup({ id, createdAt, place, manifest, drill }: BackupRecord): Backup {
  const { kubernetesVersion, snapshot, etcd, objects } = manifest;
  return {
    ...{ id, createdTime: toTime(createdAt), kubernetesVersion, location: describePlace(place) },
    ...{ bytes: snapshot.bytes, sha256: snapshot.sha256, revision: etcd.revision, keys: etcd.keys },
    objects: { ...objects },
    drill: drill === null ? null : { time: toTime(drill.at), passed: drill.passed, message: drill.message },
  };
}
