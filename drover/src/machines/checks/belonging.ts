import { type CheckedNode, isMember, type PlannedCluster } from "./checked-node.ts";
import type { Finding } from "./finding.ts";

/** Where these are, a kubelet was told which cluster it belongs to. */
const OF_A_NODE = ["/etc/kubernetes/kubelet.conf", "/etc/rancher/k3s", "/var/lib/rancher/k3s"];

/** Whose the machine is: by Drover's mark, and by what a node leaves. */
export function* findBelonging(node: CheckedNode, plan: PlannedCluster | null): Generator<Finding> {
  const { mark, traces } = node.facts.software;
  if (isMember(node, plan)) return;
  if (mark !== null) {
    // A machine at rest in its cluster is as it should be; only another cluster has to keep away.
    if (plan === null) return;
    const name = mark.clusterName ?? mark.clusterId;
    yield { code: "machine-in-cluster", message: `It is marked as a machine of the cluster ${name}, made by Drover.` };
    return;
  }
  if (traces.length === 0) return;
  const ofNode = traces.filter((path) => OF_A_NODE.includes(path));
  if (ofNode.length > 0) {
    yield {
      code: "machine-in-cluster",
      message: `${ofNode.join(", ")} ${ofNode.length === 1 ? "says" : "say"} that it is a node of a cluster that Drover did not make.`,
      command: resetCommand(ofNode),
    };
    return;
  }
  yield {
    code: "machine-leftovers",
    message: `There is something in ${traces.join(", ")}.`,
    command: `ls -la ${traces.join(" ")}`,
  };
}

const resetCommand = (traces: readonly string[]): string =>
  traces.some((path) => path.includes("rancher"))
    ? "/usr/local/bin/k3s-uninstall.sh || /usr/local/bin/k3s-agent-uninstall.sh"
    : "kubeadm reset -f";
