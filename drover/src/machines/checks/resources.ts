import type { MachineFacts } from "@drover/contract";
import { type CheckedNode, hasRole, isMember, type PlannedCluster } from "./checked-node.ts";
import type { Finding } from "./finding.ts";

const MEBIBYTE = 2 ** 20;
const GIBIBYTE = 2 ** 30;

/** What kubeadm asks of control planes; k3s and plain workers do with less. */
const NEEDS = {
  kubeadm: { controlplane: { memory: 1700 * MEBIBYTE, cpus: 2 }, worker: { memory: 900 * MEBIBYTE, cpus: 1 } },
  k3s: { controlplane: { memory: 900 * MEBIBYTE, cpus: 1 }, worker: { memory: 450 * MEBIBYTE, cpus: 1 } },
} as const;

/** Images of a control plane, containers and logs; below the second the kubelet evicts pods soon. */
const LEAST_FREE = 3 * GIBIBYTE;
const FEW_FREE = 10 * GIBIBYTE;

/** Memory, processors, disk and swap. */
export function* findResourceProblems(node: CheckedNode, plan: PlannedCluster | null): Generator<Finding> {
  const { facts } = node;
  const needs =
    NEEDS[plan?.spec.ssh?.distribution ?? "kubeadm"][hasRole(node, "controlplane") ? "controlplane" : "worker"];
  const purpose = hasRole(node, "controlplane") ? "a control plane" : "a node";
  if (facts.memoryBytes !== null && facts.memoryBytes < needs.memory) {
    yield {
      code: "machine-memory",
      message: `It has ${mebibytes(facts.memoryBytes)} of memory; ${purpose} needs ${mebibytes(needs.memory)}.`,
    };
  }
  if (facts.cpus !== null && facts.cpus < needs.cpus) {
    yield { code: "machine-cpu", message: `It has ${facts.cpus} CPU; ${purpose} needs ${needs.cpus}.` };
  }
  if (!isMember(node, plan)) yield* findDiskProblems(facts);
  yield* findSwapProblems(node, plan);
}

/** The mount that holds the data of nodes: the one with the longest path above it. */
function* findDiskProblems(facts: MachineFacts): Generator<Finding> {
  const above = facts.disks.filter(({ mount }) => `${DATA}/`.startsWith(mount === "/" ? "/" : `${mount}/`));
  const [disk] = above.sort((one, other) => other.mount.length - one.mount.length);
  if (disk === undefined || disk.freeBytes >= FEW_FREE) return;
  yield {
    code: "machine-disk",
    severity: disk.freeBytes < LEAST_FREE ? "error" : "warning",
    message: `${(disk.freeBytes / GIBIBYTE).toFixed(1)} GiB are free on ${disk.mount}; a node needs ${LEAST_FREE / GIBIBYTE}, better ${FEW_FREE / GIBIBYTE}.`,
    command: `du -xh --max-depth=2 ${quotePath(disk.mount)} | sort -h | tail -n 20`,
  };
}

const DATA = "/var/lib/containerd";

const quotePath = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

function* findSwapProblems(node: CheckedNode, plan: PlannedCluster | null): Generator<Finding> {
  const { swapBytes } = node.facts;
  if (swapBytes === null || swapBytes === 0) return;
  // k3s sets its kubelet up for it.
  const severity = plan?.spec.ssh?.distribution === "k3s" ? "warning" : "error";
  yield {
    ...{ code: "machine-swap", severity },
    message: `${mebibytes(swapBytes)} of swap are on.`,
    command: String.raw`swapoff -a && sed -i '/\sswap\s/ s/^/#/' /etc/fstab`,
  };
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / MEBIBYTE)} MiB`;
