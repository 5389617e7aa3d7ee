import { type Fields, fieldsAt, textAt } from "./json-fields.ts";

/** Says on a node which of its labels are ours to take away again. */
export const OUR_LABELS = "drover.dev/labels";

export interface NodePatch {
  readonly node: string;
  /** A merge patch of the Node. */
  readonly patch: { readonly metadata: { readonly labels: Labels; readonly annotations: Labels } };
}

type Labels = Readonly<Record<string, string | null>>;

/**
 * What brings the labels of nodes, as the Kubernetes API lists them, to those that are declared. Labels that others gave
 * stay; those of ours that are no longer declared go.
 */
export function nodeLabelPatches(
  nodes: readonly Fields[],
  declared: Readonly<Record<string, string>>,
): readonly NodePatch[] {
  return nodes.flatMap((node) => patchOf(node, declared) ?? []);
}

function patchOf(node: Fields, declared: Readonly<Record<string, string>>): NodePatch | null {
  const name = textAt(node, "metadata", "name");
  if (name === null) return null;
  const labels = fieldsAt(node, "metadata", "labels");
  const known = textAt(node, "metadata", "annotations", OUR_LABELS) ?? "";
  const wanted = Object.keys(declared).sort().join(",");
  const changes: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(declared)) if (labels[key] !== value) changes[key] = value;
  for (const key of known.split(",")) if (key in labels && !(key in declared)) changes[key] = null;
  if (Object.keys(changes).length === 0 && known === wanted) return null;
  return { node: name, patch: { metadata: { labels: changes, annotations: { [OUR_LABELS]: wanted || null } } } };
}
