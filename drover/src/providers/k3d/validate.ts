import { type ClusterSpec, makeProblem, type Problem } from "@drover/contract";
import { portTarget } from "./declared.ts";

/** What k3d cannot bring about of a spec that the contract accepts. */
export function validateK3d(spec: ClusterSpec): readonly Problem[] {
  if (spec.k3d === undefined) {
    return [makeProblem("spec.k3d", "provider-block-missing", "The settings of the k3d cluster are missing.")];
  }
  return [...checkNetwork(spec), ...checkPorts(spec)];
}

function checkNetwork({ networking }: ClusterSpec): readonly Problem[] {
  if (networking?.cni?.type !== "manifest") return [];
  const message = "A k3d cluster has k3s's own pod network, or none; a manifest can be applied as an add-on.";
  return [makeProblem("spec.networking.cni.type", "field-unsupported", message)];
}

function checkPorts(spec: ClusterSpec): readonly Problem[] {
  return (spec.networking?.ports ?? []).flatMap((port, index) => {
    if (port.protocol !== "SCTP" || portTarget(spec, port) !== "loadbalancer") return [];
    const message = "The load balancer of k3d passes on TCP and UDP only; name a node that answers.";
    return [makeProblem(`spec.networking.ports[${index}].protocol`, "field-unsupported", message)];
  });
}
