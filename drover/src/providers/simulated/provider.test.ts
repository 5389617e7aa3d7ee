import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { SimulatedBench, simulatedCluster, simulatedSpec } from "../../../test/simulated-bench.ts";
import { makeTempFolder } from "../../../test/temp-folder.ts";
import { systemClock } from "../../ports/clock.ts";
import { describeProvider, type ProviderWorld } from "../../ports/provider.conformance.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { systemTimer } from "../../ports/timer.ts";
import { REBOOT_MS } from "./disturb.ts";
import { FileWorld } from "./file-world.ts";
import type { EntryDraft, Fault } from "./ledger.ts";
import { MemoryWorld } from "./memory-world.ts";
import { makeSimulatedProvider } from "./provider.ts";
import type { World } from "./world.ts";

function providerWorld(world: World, blind: () => void, dispose: () => void): ProviderWorld {
  const provider = makeSimulatedProvider({ world, clock: systemClock, timer: systemTimer });
  return {
    provider,
    cluster: (name, variant) => {
      const version = variant === "newer" ? "v1.36.1" : "v1.34.3";
      const workers = variant === "more" ? 3 : 1;
      return simulatedCluster(name, simulatedSpec({ workers }, { kubernetes: { version } }));
    },
    inventory: async () => {
      const { clusters, foreign } = world.read();
      const objects = [...[...clusters.values()].flatMap((cluster) => cluster.objects), ...foreign];
      return objects.map(({ clusterId, kind, name }) => `${clusterId} ${kind} ${name}`).sort();
    },
    plantForeign: async (name) => {
      const mark = { clusterId: null, clusterName: name, key: null, token: null, input: {} };
      world.append([{ call: "plant-foreign", operation: null, ...mark }]);
    },
    blind: async () => blind(),
    dispose: async () => dispose(),
  };
}

describeProvider({
  name: "simulated in memory",
  create: async () => {
    const world = new MemoryWorld(systemClock);
    let blinded = false;
    const seen: World = {
      read: () => {
        if (blinded) throw new Error("There is no light.");
        return world.read();
      },
      append: (drafts: readonly EntryDraft[]) => world.append(drafts),
      close: () => world.close(),
    };
    return providerWorld(
      seen,
      () => {
        blinded = true;
      },
      () => world.close(),
    );
  },
});

describeProvider({
  name: "simulated in a file",
  create: async () => {
    const folder = makeTempFolder("world");
    const path = join(folder, "ledger.jsonl");
    const world = new FileWorld(path, systemClock);
    return providerWorld(
      world,
      () => truncateSync(path, 1),
      () => {
        world.close();
        rmSync(folder, { recursive: true });
      },
    );
  },
});

const withFaults = (faults: readonly Fault[], name = "dev"): ProviderCluster =>
  simulatedCluster(name, simulatedSpec({ faults: [...faults] }));

describe("looking at simulated clusters", () => {
  it("shows everywhere that they are simulated", async () => {
    const bench = new SimulatedBench();
    const cluster = simulatedCluster("dev");
    expect((await bench.look(cluster)).message).toMatch(/^Simulated: /);
    await bench.runJob(cluster, "create");
    const sighting = await bench.look(cluster);
    expect(bench.provider.capabilities.simulated).toBe(true);
    expect(sighting.endpoint).toBe("simulated://dev");
    expect(sighting.message).toBe("Simulated: 3 of 3 nodes are ready.");
    expect(sighting.body).toMatchObject({ simulated: true });
    expect(sighting.body.nodes).toMatchObject([
      { name: "simulated-dev-control-plane-1", roles: ["control-plane"], status: "Ready" },
      { name: "simulated-dev-worker-1", roles: ["worker"] },
      { name: "simulated-dev-worker-2" },
    ]);
    expect(await bench.provider.kubeconfig(cluster, new AbortController().signal)).toContain("# Simulated");
    const listed = await bench.provider.list(new AbortController().signal);
    expect(listed[0]?.detail).toMatchObject({ simulated: true });
  });

  it.each<[string, Fault["effect"], RegExp]>([
    ["fails", "fail", /looking failed/],
    ["fails although it was done", "done-yet-fails", /looking failed/],
    ["answers nothing", "nothing-yet-succeeds", /was empty/],
    ["cannot reach anything", "unreachable", /cannot be reached/],
    ["never answers", "hang", /no answer in time/],
  ])("sees nothing of the one cluster whose look %s, and all of the others", async (_, effect, message) => {
    const bench = new SimulatedBench();
    const blind = withFaults([{ operation: "observe", effect, times: 1 }]);
    const clear = simulatedCluster("clear");
    await bench.runJob(clear, "create");
    const { signal } = new AbortController();
    const seen = await bench.time.run(bench.provider.observe([blind, clear], { signal, thorough: true }));
    expect(seen.map(({ presence }) => presence)).toEqual(["unknown", "present"]);
    expect(seen[0]?.message).toMatch(message);
    expect((await bench.look(blind)).presence).toBe("absent");
  });

  it("loses a node, drifts and reboots at looks when that is scripted", async () => {
    const bench = new SimulatedBench();
    const calm = simulatedCluster("dev");
    await bench.runJob(calm, "create");
    const lost = await bench.look(withFaults([{ operation: "observe", effect: "node-lost", times: 1 }]));
    expect(lost.nodesTotal).toBe(2);
    expect(lost.drift).toHaveLength(1);
    const drifted = await bench.look(withFaults([{ operation: "observe", effect: "drift", times: 1 }]));
    expect(drifted.drift.map(({ path }) => path)).toContain("spec.networking");
    const down = await bench.look(withFaults([{ operation: "observe", effect: "reboot", times: 1 }]));
    expect(down).toMatchObject({ reachable: false, nodesReady: 0, nodesTotal: 2, presence: "present", complete: true });
    await bench.time.pass(REBOOT_MS);
    expect(await bench.look(calm)).toMatchObject({ reachable: true, nodesReady: 2 });
  });

  it("sees that as many nodes as declared are others than declared", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(simulatedCluster("dev", simulatedSpec({ workers: 2 })), "create");
    bench.disturb(simulatedCluster("dev"), { disturbance: "node-lost", node: "simulated-dev-worker-1" });
    const one = simulatedCluster("dev", simulatedSpec({ workers: 1 }));
    expect((await bench.look(one)).drift).toEqual([
      { path: "spec.simulated.workers", desired: "1", actual: "1, among them simulated-dev-worker-2" },
    ]);
  });

  it("compares with the spec it is given, also when nothing else has changed since the last look", async () => {
    const bench = new SimulatedBench();
    const cluster = simulatedCluster("dev");
    await bench.runJob(cluster, "create");
    expect((await bench.look(cluster)).drift).toEqual([]);
    expect((await bench.look(simulatedCluster("dev", simulatedSpec({ workers: 7 })))).drift).toHaveLength(1);
    expect((await bench.look(cluster)).drift).toEqual([]);
  });

  it("writes nothing down where no fault can strike", async () => {
    const bench = new SimulatedBench();
    await bench.look(simulatedCluster("dev"));
    await bench.look(withFaults([{ operation: "create", effect: "fail" }]));
    expect(bench.records).toEqual([]);
  });

  it("is bound to a host only when asked to be", () => {
    const parts = { world: new MemoryWorld(systemClock), clock: systemClock, timer: systemTimer };
    expect(makeSimulatedProvider(parts).capabilities.hostBound).toBe(false);
    expect(makeSimulatedProvider({ ...parts, hostBound: true }).capabilities.hostBound).toBe(true);
  });

  it("works out nothing again for ten thousand that have not changed, and reads the ledger for all at once", async () => {
    const folder = makeTempFolder("world");
    const world = new FileWorld(join(folder, "ledger.jsonl"), systemClock);
    const { provider } = providerWorld(
      world,
      () => {},
      () => {},
    );
    const spec = simulatedSpec();
    const fleet = Array.from({ length: 10_000 }, (_, index) => simulatedCluster(`c${index}`, spec));
    world.append(fleet.flatMap((cluster) => draftsOf(cluster)));
    const look = { signal: new AbortController().signal, thorough: false };
    const before = await provider.observe(fleet, look);
    expect(before.every(({ presence, nodesReady }) => presence === "present" && nodesReady === 1)).toBe(true);
    const read = vi.spyOn(world, "read");
    const after = await provider.observe(fleet, look);
    // For what may fail on purpose, and for what there is; never for each of them.
    expect(read).toHaveBeenCalledTimes(2);
    // The very same answers: nothing of them was worked out again.
    expect(after.every((sighting, index) => sighting === before[index])).toBe(true);
    world.close();
  });
});

function draftsOf({ id, name }: ProviderCluster): readonly EntryDraft[] {
  const mark = { operation: null, clusterId: id, clusterName: name, key: null, token: null };
  const node = { node: `simulated-${name}-control-plane-1`, role: "control-plane", version: "v1.36.0" } as const;
  return [
    { ...mark, call: "create-cluster", input: {} },
    { ...mark, call: "create-node", input: node },
  ];
}
