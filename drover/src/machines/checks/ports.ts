import type { SshSpec } from "@drover/contract";
import { type CheckedNode, hasRole, isMember, type PlannedCluster } from "./checked-node.ts";
import type { Finding } from "./finding.ts";

const KUBELET = 10_250;
const CONTROL_PLANE = [10_257, 10_259];
const ETCD = [2379, 2380];
const API_SERVER = 6443;
const FLANNEL_AND_K3S = [10_248, 10_249, 10_256];

/** Programs that listen where the cluster is to listen. */
export function* findPortProblems(node: CheckedNode, plan: PlannedCluster | null): Generator<Finding> {
  const ssh = plan?.spec.ssh;
  if (ssh === undefined || isMember(node, plan)) return;
  const needed = listNeededPorts(node, ssh);
  const used = [...new Set(node.facts.listening.map(({ port }) => port))].filter((port) => needed.has(port));
  for (const port of used.sort((one, other) => one - other)) {
    yield {
      code: "machine-port-used",
      message: `Somebody listens on port ${port}, which ${needed.get(port)} needs.`,
      command: `ss -ltnp 'sport = :${port}'`,
    };
  }
}

function listNeededPorts(node: CheckedNode, ssh: SshSpec): ReadonlyMap<number, string> {
  const needed = new Map<number, string>([[KUBELET, "the kubelet"]]);
  for (const port of FLANNEL_AND_K3S) needed.set(port, "the kubelet or kube-proxy");
  if (hasRole(node, "controlplane")) {
    needed.set(API_SERVER, "the API server");
    if (listensBeside(ssh)) needed.set(ssh.endpoint.port, "the endpoint");
    for (const port of CONTROL_PLANE) needed.set(port, "the control plane");
  }
  if (hasRole(node, "etcd")) for (const port of ETCD) needed.set(port, "etcd");
  return needed;
}

/** The endpoint is on our machines, on a port of its own. */
const listensBeside = ({ endpoint }: SshSpec): boolean => endpoint.type === "haproxy" || endpoint.type === "node";
