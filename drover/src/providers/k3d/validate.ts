import { type ClusterSpec, makeProblem, type Problem } from "@drover/contract";

/** What k3d cannot do of what the contract allows. */
export function validateK3d(spec: ClusterSpec): readonly Problem[] {
  if (spec.k3d === undefined) {
    return [makeProblem("spec.k3d", "provider-block-missing", "The settings of the k3d cluster are missing.")];
  }
  return [];
}
