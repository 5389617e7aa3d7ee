import type { Answer } from "../../api/client.ts";
import type { Cluster, ClusterNode } from "../../api/objects.ts";
import { groupBy } from "../../lib/group-by.ts";

export type OutsideObject = Answer<"clusterDetails", "listObjects">["items"][number];

/** What a branch of the tree is about; `state` says how it stands against what is declared. */
export type Branch =
  | { readonly kind: "node"; readonly id: string; readonly node: ClusterNode }
  | { readonly kind: "object"; readonly id: string; readonly object: OutsideObject }
  | { readonly kind: "nodes"; readonly id: string; readonly ready: number; readonly total: number }
  | { readonly kind: "system"; readonly id: string; readonly system: string };

export interface Tree {
  readonly branch: Branch;
  readonly verdict: Verdict;
  readonly leaves: readonly Tree[];
}

/** As declared; not as declared; not there yet; nobody knows. */
export type Verdict = "fits" | "differs" | "coming" | "unknown";

const WORST: readonly Verdict[] = ["differs", "unknown", "coming", "fits"];

const worstOf = (verdicts: readonly Verdict[]): Verdict =>
  WORST.find((verdict) => verdicts.includes(verdict)) ?? "unknown";

/** Everything there is because of a cluster: its nodes, then what each system outside holds of it. */
export function buildTree(
  cluster: Pick<Cluster, "spec" | "status">,
  nodes: readonly ClusterNode[],
  objects: readonly OutsideObject[],
): readonly Tree[] {
  const isWanted = cluster.spec.desiredState === "present";
  const systems = [...groupBy(objects, ({ system }) => system)].map(([system, inside]): Tree => {
    const leaves = inside.map((object) => leaf({ kind: "object", id: keyOf(object), object }, judge(object, isWanted)));
    return { branch: { kind: "system", id: system, system }, verdict: worstOf(verdictsOf(leaves)), leaves };
  });
  const { ready, total } = cluster.status?.nodes ?? { ready: 0, total: 0 };
  if (total === 0 && nodes.length === 0) return systems;
  const leaves = nodes.map((node) => leaf({ kind: "node", id: `node ${node.name}`, node }, judgeNode(node)));
  const verdict = leaves.length > 0 ? worstOf(verdictsOf(leaves)) : ready === total ? "fits" : "differs";
  return [{ branch: { kind: "nodes", id: "nodes", ready, total }, verdict, leaves }, ...systems];
}

const leaf = (branch: Branch, verdict: Verdict): Tree => ({ branch, verdict, leaves: [] });
const verdictsOf = (trees: readonly Tree[]): readonly Verdict[] => trees.map(({ verdict }) => verdict);
const keyOf = ({ system, kind, ref }: OutsideObject): string => `${system} ${kind} ${ref}`;

function judge({ state }: OutsideObject, isWanted: boolean): Verdict {
  if (state === "intended") return "coming";
  return (state === "present") === isWanted ? "fits" : isWanted ? "differs" : "coming";
}

const judgeNode = ({ status }: ClusterNode): Verdict =>
  status === "Unknown" ? "unknown" : status === "NotReady" ? "differs" : "fits";
