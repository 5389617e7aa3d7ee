import type { NodeRole } from "../ssh-nodes.ts";
import type { ClusterDraft, Report, Rule } from "./rule.ts";

const NODES = "spec.ssh.nodes";

/** A node is a controlplane or a worker; etcd and edge come beside one of these. */
export const checkRoles: Rule = ({ spec }, report) => {
  for (const [index, node] of (spec?.ssh?.nodes ?? []).entries()) {
    const path = `${NODES}[${index}].roles`;
    if (node?.roles === undefined || report.isBroken(path)) continue;
    const isControlPlane = node.roles.includes("controlplane");
    const isWorker = node.roles.includes("worker");
    const name = node.name ?? `${NODES}[${index}]`;
    if (isControlPlane && isWorker) {
      report.add(path, "roles-conflict", `${name} is both controlplane and worker.`);
    } else if (!isControlPlane && !isWorker) {
      report.add(path, "role-alone", `${name} has only ${node.roles.join(" and ")}.`);
    }
    if (new Set(node.roles).size < node.roles.length) {
      report.add(path, "duplicate", `${name} has a role twice.`, "List each role once.");
    }
  }
};

/** Two nodes with one address are one machine written twice. */
export const checkAddresses: Rule = ({ spec }, report) => {
  const firstByAddress = new Map<string, string>();
  for (const [index, node] of (spec?.ssh?.nodes ?? []).entries()) {
    for (const field of ["address", "internalAddress"] as const) {
      const address = node?.[field];
      if (address === undefined) continue;
      const own = `${NODES}[${index}]`;
      const other = firstByAddress.get(address) ?? own;
      if (other !== own) {
        const message = `${own}.${field} (${address}) is also an address of ${other}.`;
        report.add(`${own}.${field}`, "node-address-duplicate", message);
      }
      firstByAddress.set(address, other);
    }
  }
};

/** Enough of each role, etcd where it belongs, and an endpoint when one control plane may be lost. */
export const checkTopology: Rule = (cluster, report) => {
  const ssh = cluster.spec?.ssh;
  if (ssh?.nodes === undefined || report.isBroken(NODES)) return;
  const count = (role: NodeRole) => ssh.nodes?.filter((node) => node?.roles?.includes(role)).length ?? 0;
  const controlPlanes = count("controlplane");
  if (controlPlanes === 0) report.add(NODES, "controlplane-missing", "No node has the role controlplane.");
  if (count("etcd") === 0) report.add(NODES, "etcd-missing", "No node has the role etcd.");
  else if (count("etcd") % 2 === 0) report.add(NODES, "etcd-even", `${count("etcd")} nodes have the role etcd.`);
  if (count("worker") === 0 && ssh.schedulableControlPlane !== true) {
    report.add(NODES, "worker-missing", "No node has the role worker, and schedulableControlPlane is not true.");
  }
  if (controlPlanes > 1 && ssh.endpoint?.type === "node") {
    const message = `There are ${controlPlanes} control planes, but the endpoint is a single node.`;
    report.add("spec.ssh.endpoint.type", "endpoint-needed", message);
  }
  checkEtcdPlacement(cluster, report);
};

function checkEtcdPlacement({ spec }: ClusterDraft, report: Report): void {
  const topology = spec?.ssh?.etcd?.topology;
  if (topology === undefined || report.isBroken("spec.ssh.etcd")) return;
  for (const [index, node] of (spec?.ssh?.nodes ?? []).entries()) {
    const hasEtcd = node?.roles?.includes("etcd") === true;
    const isControlPlane = node?.roles?.includes("controlplane") === true;
    const fits = topology === "stacked" ? hasEtcd === isControlPlane : !(hasEtcd && isControlPlane);
    if (fits) continue;
    const what = `${node?.name} is ${isControlPlane ? "a controlplane" : "no controlplane"} ${hasEtcd ? "with" : "without"} etcd`;
    report.add(`${NODES}[${index}].roles`, "etcd-misplaced", `${what}, but the etcd topology is ${topology}.`);
  }
}
