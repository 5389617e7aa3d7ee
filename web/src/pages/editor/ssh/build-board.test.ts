import { describe, expect, it } from "vitest";
import type { Machine } from "../../../api/objects.ts";
import {
  buildBoard,
  type Card,
  chooseShown,
  findNeighbour,
  meetsWords,
  problemsOfColumn,
  problemsOfNode,
} from "./build-board.ts";
import { readNodes } from "./node-entries.ts";

const machine = (name: string, last: number, more: object = {}) =>
  ({
    ...{ name, address: `10.0.0.${last}`, port: 22, labels: {}, usedBy: null, facts: null, problems: [], ...more },
  }) as unknown as Machine;

const software = (mark: object | null) => ({ facts: { software: { mark }, os: { id: "debian", title: "Debian 12" } } });

const MACHINES = [
  machine("taken", 1, { usedBy: { cluster: "other", node: "n" } }),
  machine("marked", 2, software({ clusterId: "c7", clusterName: null })),
  machine("alien", 3, { problems: [{ code: "machine-in-cluster" }] }),
  machine("own", 4, { usedBy: { cluster: "prod", node: "w" }, ...software({ clusterId: "c1", clusterName: "prod" }) }),
  machine("free", 5, { labels: { rack: "a" }, ...software(null) }),
];

const VALUE = {
  spec: {
    ssh: {
      nodes: [
        { name: "cp", address: "10.0.0.9", roles: ["controlplane", "etcd"] },
        { name: "w", address: "10.0.0.4", roles: ["worker"] },
      ],
    },
  },
};

const build = (checks?: Parameters<typeof buildBoard>[0]["checks"]) =>
  buildBoard({ cluster: "prod", nodes: readNodes(VALUE), machines: MACHINES, checks });
const names = (cards: readonly Card[]) => cards.map((card) => card.machine?.name ?? card.node?.name);

describe("the board", () => {
  it("has nodes in the columns of their roles, also those whose machine is not enrolled", () => {
    const board = build();
    expect([names(board.controlplane), names(board.worker), names(board.etcd)]).toEqual([["cp"], ["own"], []]);
    expect(board.controlplane[0]?.machine).toBeNull();
  });

  it("offers what is free, and says of the rest whose it is", () => {
    expect(build().available.map(({ machine: one, hindrance }) => [one?.name, hindrance])).toEqual([
      ["free", null],
      ["taken", { cluster: "other" }],
      ["marked", { cluster: "c7" }],
      ["alien", "foreign"],
    ]);
  });

  it("shows what the checks of the document say, once there are some for these nodes", () => {
    const found = { code: "machine-swap", severity: "error" } as never;
    const checks = [
      { machine: "cp", state: null, problems: [] },
      { machine: "own", state: "Reachable" as const, problems: [found] },
    ];
    expect(build(checks).worker[0]?.problems).toEqual([found]);
    expect(build(checks.slice(1)).worker[0]?.problems).toEqual([]);
  });

  it("finds machines by any of their words", () => {
    const found = (text: string) => names(build().available.filter((card) => meetsWords(card, text.split(" "))));
    expect([found("rack=a debian"), found("10.0.0.3"), found("nothing")]).toEqual([["free"], ["alien"], []]);
  });
});

describe("a column", () => {
  const cards = build().available;
  it("draws its first cards, and the one that was just put there", () => {
    expect(names(chooseShown(cards, 1, null))).toEqual(["free"]);
    expect(names(chooseShown(cards, 1, "10.0.0.2:22"))).toEqual(["free", "marked"]);
    expect(names(chooseShown(cards, 2, "10.0.0.5:22"))).toEqual(["free", "taken"]);
  });

  it("has a neighbour for each card but an only one", () => {
    const [first, second] = cards;
    const last = cards.at(-1);
    if (first === undefined || second === undefined || last === undefined) throw new Error("There are no cards.");
    expect(findNeighbour(cards, first)).toBe(second);
    expect(findNeighbour(cards, last)).toBe(cards.at(-2));
    expect(findNeighbour([first], first)).toBeNull();
  });
});

describe("problems", () => {
  const problem = (path: string, code: string) => ({ path, code, message: "", next: "" }) as never;
  it("of numbers stand in the column that they are about", () => {
    const even = [problem("spec.ssh.nodes", "etcd-even")];
    expect(problemsOfColumn(even, "controlplane", "stacked")).toEqual(even);
    expect(problemsOfColumn(even, "etcd", "separate")).toEqual(even);
    expect(problemsOfColumn(even, "worker", "stacked")).toEqual([]);
  });

  it("of one node stand at that node, not at the tenth", () => {
    const [first] = readNodes(VALUE);
    const all = ["spec.ssh.nodes[0].name", "spec.ssh.nodes[0]", "spec.ssh.nodes[01]", "spec.ssh.nodes"].map((path) =>
      problem(path, "duplicate"),
    );
    expect(first && problemsOfNode(all, first)).toEqual(all.slice(0, 2));
  });
});
