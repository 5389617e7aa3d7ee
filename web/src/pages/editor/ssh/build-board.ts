import type { Problem } from "@drover/contract";
import type { Machine, MachineProblem } from "../../../api/objects.ts";
import { type NodeEntry, placeOf, type RoleColumn, type Topology } from "./node-entries.ts";
import type { MachineCheck } from "./use-machine-checks.ts";

export type ColumnId = "available" | RoleColumn;

/** Why a machine cannot be chosen. */
export type Hindrance = { readonly cluster: string } | "foreign";

/** A machine on the board: one that could become a node, or a node with the machine it names. */
export interface Card {
  readonly place: string;
  /** Null for a node whose machine is not enrolled. */
  readonly machine: Machine | null;
  readonly node: NodeEntry | null;
  readonly hindrance: Hindrance | null;
  readonly problems: readonly MachineProblem[];
}

interface BoardParts {
  readonly cluster: string;
  readonly nodes: readonly NodeEntry[];
  readonly machines: readonly Machine[];
  readonly checks: readonly MachineCheck[] | undefined;
}

export const columnsFor = (topology: Topology): readonly ColumnId[] =>
  topology === "separate" ? ["available", "controlplane", "etcd", "worker"] : ["available", "controlplane", "worker"];

/** Which cards are in which column. Whoever can be chosen comes first. */
export function buildBoard({
  cluster,
  nodes,
  machines,
  checks,
}: BoardParts): Readonly<Record<ColumnId, readonly Card[]>> {
  const byPlace = new Map(machines.map((machine) => [placeOf(machine.address, machine.port), machine]));
  const asNodes = nodes.map((node): Card => {
    const machine = byPlace.get(node.place) ?? null;
    const checked = checks?.length === nodes.length ? checks[node.index]?.problems : undefined;
    return { place: node.place, machine, node, hindrance: null, problems: checked ?? machine?.problems ?? [] };
  });
  const used = new Set(nodes.map(({ place }) => place));
  const free = [...byPlace].flatMap(([place, machine]): readonly Card[] =>
    used.has(place)
      ? []
      : [{ place, machine, node: null, hindrance: findHindrance(machine, cluster), problems: machine.problems }],
  );
  const inColumn = (column: RoleColumn) => asNodes.filter(({ node }) => node?.column === column);
  return {
    available: [
      ...free.filter(({ hindrance }) => hindrance === null),
      ...free.filter(({ hindrance }) => hindrance !== null),
    ],
    controlplane: inColumn("controlplane"),
    etcd: inColumn("etcd"),
    worker: inColumn("worker"),
  };
}

function findHindrance({ usedBy, facts, problems }: Machine, cluster: string): Hindrance | null {
  if (usedBy !== null && usedBy.cluster !== cluster) return { cluster: usedBy.cluster };
  const mark = facts?.software.mark ?? null;
  if (mark !== null && mark.clusterName !== cluster) return { cluster: mark.clusterName ?? mark.clusterId };
  return problems.some(({ code }) => code === "machine-in-cluster") ? "foreign" : null;
}

/** The first cards of a long column, and the one that was just put there wherever it is. */
export function chooseShown(cards: readonly Card[], count: number, followed: string | null): readonly Card[] {
  return cards.filter(({ place }, index) => index < count || place === followed);
}

/** The card after one in its column, or else that before it. */
export function findNeighbour(column: readonly Card[], card: Card): Card | null {
  const at = column.indexOf(card);
  return column[at + 1] ?? column[at - 1] ?? null;
}

/** Whether a machine has all these words somewhere in what is known of it. */
export function meetsWords({ machine, place }: Card, words: readonly string[]): boolean {
  const { name = "", labels = {}, facts } = machine ?? {};
  const pairs = Object.entries(labels).map((pair) => pair.join("="));
  const text = [name, place, ...pairs, facts?.os?.title, facts?.os?.id, facts?.hostname].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

const COLUMN_OF_CODE: Readonly<Record<string, (topology: Topology) => RoleColumn>> = {
  "controlplane-missing": () => "controlplane",
  "worker-missing": () => "worker",
  "etcd-missing": (topology) => (topology === "stacked" ? "controlplane" : "etcd"),
  "etcd-even": (topology) => (topology === "stacked" ? "controlplane" : "etcd"),
};

/** What is wrong with the numbers in a column. */
export const problemsOfColumn = (
  problems: readonly Problem[],
  column: ColumnId,
  topology: Topology,
): readonly Problem[] =>
  problems.filter(({ path, code }) => path === "spec.ssh.nodes" && COLUMN_OF_CODE[code]?.(topology) === column);

/** What the document has wrong about one node. */
export const problemsOfNode = (problems: readonly Problem[], { index }: NodeEntry): readonly Problem[] =>
  problems.filter(({ path }) => path === `spec.ssh.nodes[${index}]` || path.startsWith(`spec.ssh.nodes[${index}].`));
