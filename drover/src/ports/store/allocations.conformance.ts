import { describe, expect } from "vitest";
import { API_SERVER, NODE_SUBNET, wishForPort } from "../../domain/allocation.ts";
import type { ClaimedJob, ReserveFrom, Store } from "./index.ts";
import {
  ada,
  claimOne,
  countRows,
  declare,
  dump,
  expireLease,
  kindSpecWith,
  LEASE_MS,
  POOLS,
  refusalOf,
  type StoreSubject,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

const FROM: ReserveFrom = { pools: POOLS, except: [] };
const http = wishForPort({ containerPort: 80, protocol: "TCP", listenAddress: "127.0.0.1" });
const dns = wishForPort({ containerPort: 53, protocol: "UDP", listenAddress: "127.0.0.1" });

const workerOn = (host: string) => workerAt({ id: `w-${host}`, host, providers: ["kind"], hostBound: ["kind"] });

/** A cluster that a worker on a host has begun to make. */
async function begin(store: Store, name: string, host = "h1", spec = kindSpecWith()): Promise<ClaimedJob> {
  await declare(store, name, { spec });
  return await claimOne(store, workerOn(host));
}

export function describeAllocations(subject: StoreSubject): void {
  const it = storeTest(subject);
  const valueFor = async (store: Store, { ref }: ClaimedJob, wish = API_SERVER, from = FROM) =>
    (await store.jobs.reserveAllocation(ref, wish, from)).value;

  it("gives each cluster of a host another one, and the same one each time it asks", async ({ world: { store } }) => {
    const [a, b] = [await begin(store, "a"), await begin(store, "b")];
    expect(await valueFor(store, a)).toBe("20000");
    expect(await valueFor(store, b)).toBe("20001");
    expect([await valueFor(store, a), await valueFor(store, b)]).toEqual(["20000", "20001"]);
    expect(await valueFor(store, a, http)).toBe("20002");
    expect([await valueFor(store, a, NODE_SUBNET), await valueFor(store, b, NODE_SUBNET)]).toEqual([
      "10.210.0.0/24",
      "10.210.1.0/24",
    ]);
  });

  it("chooses for each host and each protocol apart", async ({ world: { store } }) => {
    const a = await begin(store, "a");
    const b = await begin(store, "b", "h2");
    expect([await valueFor(store, a), await valueFor(store, b), await valueFor(store, a, dns)]).toEqual([
      "20000",
      "20000",
      "20000",
    ]);
  });

  it("shows what was chosen, with where a port leads to", async ({ world: { store } }) => {
    const a = await begin(store, "a");
    await valueFor(store, a, http);
    await valueFor(store, a, NODE_SUBNET);
    const { id } = a.cluster;
    const chosen = [
      { slot: "node-subnet", kind: "subnet", host: "h1", value: "10.210.0.0/24", protocol: null, containerPort: null },
      { slot: http.slot, kind: "port", host: "h1", value: "20000", protocol: "TCP", containerPort: 80 },
    ];
    expect((await store.read.listAllocations([id, "nobody"])).get(id)).toEqual(chosen);
    expect((await store.read.briefClusters([id])).get(id)?.allocations).toEqual(chosen);
    expect(await store.read.listAllocations([])).toEqual(new Map());
  });

  it("leaves alone what the specs of clusters name that live on the host or may come to", async ({ world }) => {
    const { store } = world;
    const named = (name: string, hostPort: number, host?: string) =>
      declare(store, name, { spec: kindSpecWith([{ containerPort: 80, hostPort }], host) });
    await named("placed", 20_000, "h1");
    await named("elsewhere", 20_002, "h2");
    const own = kindSpecWith([{ containerPort: 80, hostPort: 20_001 }]);
    await declare(store, "own", { spec: own });
    await claimOne(store, workerOn("h1"));
    const claimed = await claimOne(store, workerOn("h1"));
    expect(claimed.cluster.name).toBe("own");
    await named("anywhere", 20_003);
    expect(await valueFor(store, claimed)).toBe("20002");
    expect(await valueFor(store, claimed, http)).toBe("20004");
  });

  it("keeps networks of nodes off those of the cluster's own pods", async ({ world: { store } }) => {
    const spec = kindSpecWith();
    const networking = { ...spec.networking, podSubnet: "10.210.0.0/23", serviceSubnet: "10.210.3.0/24" };
    const claimed = await begin(store, "a", "h1", { ...spec, networking } as typeof spec);
    expect(await valueFor(store, claimed, NODE_SUBNET)).toBe("10.210.2.0/24");
  });

  it("replaces one that turned out to be in use, and says when nothing is left", async ({ world }) => {
    const { store } = world;
    const a = await begin(store, "a");
    await valueFor(store, a);
    expect(await valueFor(store, a, API_SERVER, { ...FROM, except: ["20000"] })).toBe("20001");
    expect(await valueFor(store, a)).toBe("20001");
    expect(await countRows(world, "allocations")).toBe(1);
    const all = Array.from({ length: 10 }, (_, index) => `${20_000 + index}`);
    expect(await refusalOf(valueFor(store, a, API_SERVER, { ...FROM, except: all }))).toBe("allocation-exhausted");
    expect(await valueFor(store, a)).toBe("20001");
  });

  it("gives back what is not kept", async ({ world: { store } }) => {
    const a = await begin(store, "a");
    await valueFor(store, a);
    await valueFor(store, a, http);
    await store.jobs.keepAllocations(a.ref, [http.slot]);
    const { id } = a.cluster;
    expect((await store.read.listAllocations([id])).get(id)?.map(({ value }) => value)).toEqual(["20001"]);
    await store.jobs.keepAllocations(a.ref, []);
    expect(await store.read.listAllocations([id])).toEqual(new Map());
  });

  it("are one's own for the jobs to come, and free when the cluster is gone", async ({ world: { store } }) => {
    const a = await begin(store, "a");
    const port = await valueFor(store, a);
    await store.jobs.finishJobs([{ ref: a.ref, state: "Succeeded" }]);
    await store.desired.deleteCluster({ name: "a", actor: ada });
    const deletion = await claimOne(store, workerOn("h1"));
    const b = await begin(store, "b");
    expect(await valueFor(store, deletion)).toBe(port);
    expect(await valueFor(store, b)).not.toBe(port);
    await store.jobs.finishDeletion(deletion.ref, {});
    expect(await store.read.listAllocations([a.cluster.id])).toEqual(new Map());
    const c = await begin(store, "c");
    expect(await valueFor(store, c)).toBe(port);
  });

  it("stay with a deletion that was refused", async ({ world }) => {
    const { store } = world;
    const a = await begin(store, "a");
    await valueFor(store, a);
    await store.jobs.recordIntended(a.ref, { system: "docker", kind: "network", ref: "a" });
    await store.jobs.finishJobs([{ ref: a.ref, state: "Succeeded" }]);
    await store.desired.deleteCluster({ name: "a", actor: ada });
    const { ref } = await claimOne(store, workerOn("h1"));
    const before = await dump(world);
    expect(await refusalOf(store.jobs.finishDeletion(ref, {}))).toBe("objects-remain");
    expect(await dump(world)).toEqual(before);
  });

  it("changes nothing for a cluster that lives on no host", async ({ world }) => {
    const { store } = world;
    await declare(store, "a");
    const claimed = await claimOne(store);
    const before = await dump(world);
    await expect(valueFor(store, claimed)).rejects.toThrow(/lives on no host/);
    expect(await dump(world)).toEqual(before);
  });

  describe("chosen by many at once", () => {
    it("never are the same twice, whoever asks", async ({ world }) => {
      const other = await world.open();
      const jobs: ClaimedJob[] = [];
      for (let index = 0; index < 4; index++) jobs.push(await begin(world.store, `c${index}`));
      const wishes = [API_SERVER, NODE_SUBNET];
      const chosen = await Promise.all(
        jobs.flatMap((job, index) => wishes.map((wish) => valueFor(index % 2 === 0 ? world.store : other, job, wish))),
      );
      expect(new Set(chosen).size).toBe(8);
    });

    it("are one for two holders of the same job, and the stale one writes nothing", async ({ world }) => {
      const { store } = world;
      const a = await begin(store, "a");
      await expireLease(world, a.ref);
      const [taken] = await store.jobs.claimJobs(workerOn("h1"), { limit: 1, leaseMs: LEASE_MS });
      if (taken === undefined) throw new Error("it was not taken over");
      expect(await refusalOf(valueFor(store, a))).toBe("lease-lost");
      expect(await countRows(world, "allocations")).toBe(0);
      expect(await valueFor(store, taken)).toBe("20000");
    });
  });
}
