import type { RemoteMachine } from "../../ports/machines.ts";
import { runAll } from "../../ports/run-all.ts";
import { K3S_ADMIN_CONFIG } from "./k3s/k3s-paths.ts";
import { ADMIN_CONFIG, ENCRYPTION_FILE, ETCD_NOTE, MARK_PATH, TRACES_OF_KUBERNETES } from "./machine-paths.ts";
import { type Mark, readMark } from "./mark.ts";

/** What one machine says about itself, in one round trip. */
export interface MachineLook {
  readonly mark: Mark | null;
  /** A file lies where the mark should, and is none. */
  readonly spoiltMark: boolean;
  /** Paths that only Kubernetes makes. */
  readonly traces: readonly string[];
  /** The administrator's kubeconfig; null where there is none. */
  readonly adminConfig: { readonly path: string; readonly sha256: string } | null;
  readonly kubeletRuns: boolean;
  /** It is a member of a database that runs apart from the API servers. */
  readonly etcdMember: boolean;
  /** Its API server has keys to encrypt Secrets with. */
  readonly encrypts: boolean;
  /** By which the machine is known whichever way leads to it; null where it says none. */
  readonly machineId: string | null;
}

export const LOOK_DEADLINE_MS = 10_000;

export async function lookAtMachine(
  machine: RemoteMachine,
  signal: AbortSignal,
  deadlineMs = LOOK_DEADLINE_MS,
): Promise<MachineLook> {
  const [mark, traces, admin, kubelet, etcd, encryption, identity] = await runAll(
    machine,
    [
      { argv: ["cat", MARK_PATH] },
      { argv: ["ls", "-d", ...TRACES_OF_KUBERNETES] },
      { argv: ["sha256sum", ADMIN_CONFIG, K3S_ADMIN_CONFIG] },
      { argv: ["systemctl", "is-active", "kubelet"] },
      { argv: ["test", "-e", ETCD_NOTE] },
      { argv: ["test", "-e", ENCRYPTION_FILE] },
      { argv: ["cat", "/etc/machine-id"] },
    ],
    { signal, deadlineMs },
  );
  const text = mark?.exitCode === 0 ? mark.stdout : null;
  const read = text === null ? null : readMark(text);
  return {
    mark: read,
    spoiltMark: text !== null && read === null,
    traces: (traces?.stdout ?? "").split("\n").filter((line) => line !== ""),
    adminConfig: readSum(admin?.stdout ?? ""),
    kubeletRuns: kubelet?.stdout.trim() === "active",
    etcdMember: etcd?.exitCode === 0,
    encrypts: encryption?.exitCode === 0,
    machineId: (identity?.exitCode === 0 ? identity.stdout.trim() : "") || null,
  };
}

/** The first line of what sha256sum says: of the two there may be, a machine has one. */
function readSum(text: string): MachineLook["adminConfig"] {
  const [, sha256, path] = /^([a-f0-9]{64}) [ *](\/.+)$/m.exec(text) ?? [];
  return sha256 === undefined || path === undefined ? null : { path, sha256 };
}

/** Whose it is, in the way of a cluster that wants it; null when nobody's, or its own. */
export function findObstacle(look: MachineLook, clusterId: string): string | null {
  const { mark, spoiltMark, traces } = look;
  if (mark !== null) {
    if (mark.clusterId === clusterId) return null;
    return `It belongs to the cluster ${mark.clusterName} (node ${mark.node}); ${MARK_PATH} says so.`;
  }
  if (spoiltMark) return `${MARK_PATH} is there, but does not say whose it is.`;
  if (traces.length > 0) return `Somebody has Kubernetes there already: ${traces.join(", ")}.`;
  return null;
}
