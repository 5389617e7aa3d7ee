import { type ErrorKind, errorKind } from "./error-kind.ts";

/** What can be wrong with machines and with what is brought to them. */
export const SSH_ERRORS = {
  "artifact-missing": errorKind(
    422,
    "A file that machines need is not among the artifacts",
    false,
    "Put it there with its line in SHA256SUMS, or correct spec.ssh.artifacts; then retry.",
  ),
  "checksum-mismatch": errorKind(
    422,
    "An artifact is not what its checksum says",
    false,
    "Fetch the file again, or correct its checksum if the file is right; nothing was sent. Then retry.",
  ),
  "artifacts-denied": errorKind(
    422,
    "The place of the artifacts does not give them out",
    false,
    "Correct the secret that spec.ssh.artifacts.credential names, or what it may read there; then retry.",
  ),
  "artifacts-unreachable": errorKind(
    503,
    "The place of the artifacts cannot be reached",
    true,
    "See from the worker's machine that the address answers. It is tried again; what was fetched is kept.",
  ),
  "artifacts-untrusted": errorKind(
    422,
    "What the place of the artifacts answers cannot be used",
    false,
    "The message says what is wrong: correct the address, its certificate or the archive; then retry.",
  ),
  "machine-taken": errorKind(
    409,
    "A machine belongs to somebody else",
    false,
    "Take another machine, or have its owner take Kubernetes off it. Drover never touches what it did not make.",
  ),
  "machines-unfit": errorKind(
    422,
    "Machines are not what the cluster needs",
    false,
    "Each problem names its machine and the command that mends it. No machine was touched; mend them all, then retry.",
  ),
  "machine-not-restored": errorKind(
    500,
    "A machine is not yet as it was found",
    true,
    "Remove what the message names on the machine, then retry: it goes on from there.",
  ),
  "quorum-at-risk": errorKind(
    409,
    "The database would lose its majority",
    true,
    "Bring the other control planes back first; it goes on when they are healthy.",
  ),
  "control-planes-lost": errorKind(
    409,
    "No control plane of the cluster is left",
    false,
    "Restore a backup with `drover restore --backup`; or delete the cluster, and create it anew.",
  ),
  "machine-unreachable": errorKind(
    503,
    "A machine cannot be reached",
    true,
    "The message says why and what to do. Work goes on by itself when the machine is back.",
  ),
  "machine-denied": errorKind(
    422,
    "Drover is not let onto a machine, or may not become root there",
    false,
    "The message says why: correct the host key, the user, its credentials or its sudo rights; then retry.",
  ),
  "backup-not-found": errorKind(404, "There is no such backup", false, "List the backups of the cluster."),
  "backup-damaged": errorKind(
    422,
    "A backup is not what it was when it was taken",
    false,
    "Take another backup, or bring back the files that the message names. Nothing was changed in the cluster.",
  ),
  "backup-unfit": errorKind(
    409,
    "A backup does not fit the cluster as it is now",
    false,
    "Choose another backup; the message says what differs.",
  ),
  "encryption-keys-unknown": errorKind(
    409,
    "A control plane encrypts Secrets with keys that Drover does not have",
    false,
    "Restore a newer backup of Drover's store, which has them. Nothing was changed on the machine.",
  ),
  "backup-store-refused": errorKind(
    502,
    "The store of the backups does not take or give them",
    true,
    "See to the folder, or to the address, bucket and access key in spec.ssh.backup.destination; then retry.",
  ),
} as const satisfies Record<string, ErrorKind>;
