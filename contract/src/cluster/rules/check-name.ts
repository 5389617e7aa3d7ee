import { K3D_NAME_LENGTH, KIND_NAME_LENGTH, KIND_NAME_LENGTH_BALANCED, RESERVED_BRANCHES } from "../names.ts";
import type { ClusterDraft, Rule } from "./rule.ts";

export const checkNameLength: Rule = (cluster, report) => {
  const name = cluster.metadata?.name;
  const limit = nameLimit(cluster);
  if (name === undefined || limit === undefined || name.length <= limit) return;
  report.add(
    "metadata.name",
    "name-too-long",
    `metadata.name has ${name.length} characters; a ${cluster.spec?.provider} cluster like this may have ${limit}.`,
  );
};

function nameLimit({ spec }: ClusterDraft): number | undefined {
  if (spec?.provider === "k3d") return K3D_NAME_LENGTH;
  if (spec?.provider !== "kind") return undefined;
  return (spec.kind?.controlPlanes ?? 1) > 1 ? KIND_NAME_LENGTH_BALANCED : KIND_NAME_LENGTH;
}

/** A cluster's branch must not be one of those that the installation lives on. */
export const checkBranchName: Rule = ({ metadata, spec }, report) => {
  const git = spec?.integrations?.git;
  if (git?.enabled !== true) return;
  const branch = git.branch ?? metadata?.name;
  if (!RESERVED_BRANCHES.some((reserved) => reserved === branch)) return;
  const path = git.branch === undefined ? "metadata.name" : "spec.integrations.git.branch";
  report.add(path, "name-reserved", `The git branch ${branch} is reserved for the installation itself.`);
};
