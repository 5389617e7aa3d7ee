import { type ClusterSpec, makeProblem, type Problem } from "@drover/contract";

/** What kind cannot bring about of a spec that the contract accepts. */
export function validateKind(spec: ClusterSpec): readonly Problem[] {
  if (spec.kind === undefined) {
    return [makeProblem("spec.kind", "provider-block-missing", "The settings of the kind cluster are missing.")];
  }
  return [];
}
