import { type ClusterSpec, isIpAddress, makeProblem, type Problem } from "@drover/contract";

/** What kind cannot bring about of a spec that the contract accepts. */
export function validateKind(spec: ClusterSpec): readonly Problem[] {
  if (spec.kind === undefined) {
    return [makeProblem("spec.kind", "provider-block-missing", "The settings of the kind cluster are missing.")];
  }
  return [...checkAddress(spec), ...checkPorts(spec, spec.kind.workers)];
}

function checkAddress({ networking }: ClusterSpec): readonly Problem[] {
  const address = networking?.apiServer?.address;
  if (address === undefined || isIpAddress(address)) return [];
  const message = `kind publishes the API on an address of the host, not under a name: "${address}".`;
  return [makeProblem("spec.networking.apiServer.address", "field-unsupported", message)];
}

function checkPorts({ networking }: ClusterSpec, workers: number): readonly Problem[] {
  if (workers > 0) return [];
  return (networking?.ports ?? []).flatMap(({ node }, index) => {
    if (node !== "worker") return [];
    const path = `spec.networking.ports[${index}].node`;
    return [makeProblem(path, "field-unsupported", "The port leads to a worker, and spec.kind.workers is 0.")];
  });
}
