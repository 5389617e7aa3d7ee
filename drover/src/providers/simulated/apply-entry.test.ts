import { describe, expect, it } from "vitest";
import { auditLedger } from "./audit-ledger.ts";
import type { CallInput, EntryDraft, Fault } from "./ledger.ts";
import { MemoryWorld } from "./memory-world.ts";
import { STRICT, type WorldRules } from "./world-state.ts";

const clock = { now: () => 5_000, monotonic: () => 0 };
const newWorld = (rules: WorldRules = STRICT) => new MemoryWorld(clock, rules);

type More = Partial<EntryDraft> & { input?: CallInput; faults?: readonly Fault[] };

const draft = (call: EntryDraft["call"], { faults, ...more }: More = {}): EntryDraft => ({
  call,
  operation: "create",
  clusterId: "a",
  clusterName: "dev",
  key: null,
  token: 1,
  input: {},
  ...(faults === undefined ? {} : { script: { seed: 1, faults } }),
  ...more,
});

const node = (name: string, more: More = {}): EntryDraft =>
  draft("create-node", { input: { node: name, role: "worker", version: "v1.35.0" }, ...more });

const effects = (world: MemoryWorld, ...drafts: EntryDraft[]) => world.append(drafts).map(({ effect }) => effect);
const names = (world: MemoryWorld, id = "a") => (world.read().clusters.get(id)?.objects ?? []).map(({ name }) => name);

describe("keys", () => {
  it("make one thing of two calls", () => {
    const world = newWorld();
    const create = draft("create-cluster", { key: "k" });
    expect(effects(world, create, create)).toEqual(["made", "repeated"]);
    expect(names(world)).toEqual(["dev"]);
    expect(auditLedger(world.records).doubles).toEqual([]);
  });

  it("that differ make two things, which the audit finds", () => {
    const world = newWorld();
    expect(effects(world, draft("create-cluster", { key: "k" }), draft("create-cluster", { key: "l" }))).toEqual([
      "made",
      "made",
    ]);
    expect(auditLedger(world.records).doubles).toEqual([
      { clusterId: "a", kind: "cluster", name: "dev", count: 2, line: 2 },
    ]);
  });

  it("make the thing anew when it is gone, so that the same job can go on", () => {
    const world = newWorld();
    const create = node("n1", { key: "k" });
    const [made] = world.append([create]);
    const object = made?.objects[0]?.id ?? "";
    expect(effects(world, draft("remove-node", { input: { object } }), create)).toEqual(["removed", "made"]);
  });

  it("that are forgotten make two things of one, which the audit finds", () => {
    const world = newWorld({ ...STRICT, remembersKeys: false });
    const create = draft("create-cluster", { key: "k" });
    expect(effects(world, create, create)).toEqual(["made", "made"]);
    expect(auditLedger(world.records).doubles).toHaveLength(1);
  });
});

describe("tokens", () => {
  it("that are older than the newest of the cluster are refused and written down", () => {
    const world = newWorld();
    const stale = draft("create-cluster", { token: 6 });
    expect(effects(world, draft("shut-out", { token: 7 }), stale)).toEqual(["nothing", "refused"]);
    expect(names(world)).toEqual([]);
    const audit = auditLedger(world.records);
    expect(audit.refused.map(({ number, token }) => [number, token])).toEqual([[2, 6]]);
    expect(audit.staleEffects).toEqual([]);
  });

  it("of one cluster say nothing about another", () => {
    const world = newWorld();
    const other = draft("create-cluster", { clusterId: "b", clusterName: "other", token: 1 });
    expect(effects(world, draft("shut-out", { token: 7 }), other)).toEqual(["nothing", "made"]);
  });

  it("that are ignored let a stale call in, which the audit finds", () => {
    const world = newWorld({ ...STRICT, refusesStaleTokens: false });
    world.append([draft("shut-out", { token: 7 }), draft("create-cluster", { token: 6 })]);
    expect(auditLedger(world.records).staleEffects.map(({ number }) => number)).toEqual([2]);
  });
});

describe("calls", () => {
  it("leave nodes behind when only the cluster is removed", () => {
    const world = newWorld();
    const [made] = world.append([draft("create-cluster"), node("n1")]);
    world.append([draft("remove-cluster", { input: { object: made?.objects[0]?.id ?? "" } })]);
    expect(names(world)).toEqual(["n1"]);
    const audit = auditLedger(world.records, new Set());
    expect(audit.orphans.map(({ name }) => name)).toEqual(["n1"]);
    expect([audit.creates, audit.deletes]).toEqual([1, 1]);
  });

  it("change what they name, say so once, and fail when it is not there", () => {
    const world = newWorld();
    const [made] = world.append([node("n1")]);
    const upgrade = draft("upgrade-node", { input: { object: made?.objects[0]?.id ?? "", version: "v1.36.0" } });
    const nowhere = draft("upgrade-node", { input: { object: "nowhere", version: "v1.36.0" } });
    expect(effects(world, upgrade, upgrade, nowhere)).toEqual(["changed", "nothing", "failed"]);
    expect(effects(world, draft("remove-node", { input: { object: "nowhere" } }))).toEqual(["nothing"]);
  });

  it("give what lies under a name to another record, and never what others made", () => {
    const world = newWorld();
    world.append([draft("create-cluster", { clusterId: "old" }), node("n1", { clusterId: "old" })]);
    world.append([draft("plant-foreign", { clusterId: null, token: null })]);
    expect(effects(world, draft("adopt-cluster"), draft("adopt-cluster"))).toEqual(["changed", "nothing"]);
    expect(names(world)).toEqual(["dev", "n1"]);
    expect(names(world, "old")).toEqual([]);
    const audit = auditLedger(world.records, new Set(["a"]));
    expect([audit.orphans, audit.doubles, audit.touchedForeign]).toEqual([[], [], []]);
    expect(audit.clusters.get("a")?.live).toHaveLength(2);
  });
});

describe("faults", () => {
  const strike = (effect: Fault["effect"]) => {
    const world = newWorld();
    world.append([draft("create-cluster"), node("n1")]);
    const [record] = world.append([node("n2", { faults: [{ operation: "create", effect }] })]);
    return { world, record };
  };

  it.each<[Fault["effect"], string, readonly string[]]>([
    ["fail", "failed", ["dev", "n1"]],
    ["hang", "failed", ["dev", "n1"]],
    ["unreachable", "failed", ["dev", "n1"]],
    ["nothing-yet-succeeds", "nothing", ["dev", "n1"]],
    ["done-yet-fails", "made", ["dev", "n1", "n2"]],
    ["drift", "made", ["dev", "n1", "n2"]],
    ["reboot", "made", ["dev", "n1", "n2"]],
  ])("of %s are written down as %s", (effect, written, left) => {
    const { world, record } = strike(effect);
    expect(record).toMatchObject({ effect: written, fault: effect });
    expect(names(world)).toEqual(left);
  });

  it("of a lost node take one of those that are there, and the audit does not miss it", () => {
    const { world, record } = strike("node-lost");
    expect(record?.lost).toHaveLength(1);
    expect(names(world)).toHaveLength(2);
    const live = auditLedger(world.records).clusters.get("a")?.live ?? [];
    expect(live.map(({ name }) => name)).toEqual(names(world));
  });

  it("say what the script says", () => {
    const world = newWorld();
    const faults: readonly Fault[] = [{ operation: "any", effect: "fail", message: "The quota is used up." }];
    expect(world.append([node("n1", { faults })])[0]?.message).toBe("The quota is used up.");
  });
});
