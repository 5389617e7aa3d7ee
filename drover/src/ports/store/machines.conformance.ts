import type { MachineFacts, NewMachine } from "@drover/contract";
import { describe, expect } from "vitest";
import { parseLabelSelector } from "../../domain/labels.ts";
import type { MachineRecord, MachineSeen, Store } from "./index.ts";
import {
  ada,
  breakTable,
  dump,
  failureOf,
  letPass,
  refusalOf,
  type StoreSubject,
  storeTest,
} from "./world.conformance.ts";

const HOUR = 3_600_000;
const KEY = `SHA256:${"a".repeat(43)}`;
const OTHER_KEY = `SHA256:${"b".repeat(43)}`;

let counted = 0;
const machine = (name: string, more: Partial<NewMachine> = {}): NewMachine => ({
  ...{ name, address: `10.0.${Math.floor(counted / 250)}.${(counted++ % 250) + 1}`, port: 22, user: "root" },
  ...{ credential: { name: "key" }, sudo: { mode: "passwordless" } },
  ...more,
});

const enroll = async (store: Store, ...machines: readonly NewMachine[]): Promise<readonly MachineRecord[]> => {
  const done = await store.machines.enrollMachines(ada, machines);
  if ("taken" in done) throw new Error(JSON.stringify(done.taken));
  return done.machines;
};

const claim = (store: Store, more = {}) => store.machineLooks.claimMachines({ limit: 100, leaseMs: HOUR, ...more });
const namesOf = ({ machines }: { machines: readonly MachineRecord[] }) => machines.map(({ name }) => name).sort();

const seen = ({ id, version }: MachineRecord, more: Partial<MachineSeen> = {}): MachineSeen => ({
  ...{ id, version, state: "Reachable", reason: null, message: "", offered: null, nextLookMs: HOUR },
  ...more,
});

const selector = (text: string) => {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.selector;
};

const FACTS = { kernel: "6.1", root: true } as unknown as MachineFacts;

export function describeMachines(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("enrolling", () => {
    it("keeps machines as they were given, and tells of each", async ({ world: { store } }) => {
      const bastion = { address: "jump", port: 22, hostKey: OTHER_KEY };
      const [made] = await enroll(store, machine("web-1", { hostKey: KEY, labels: { rack: "a" }, bastion }));
      expect(made).toMatchObject({
        ...{
          name: "web-1",
          port: 22,
          labels: { rack: "a" },
          version: 1,
          state: "Pending",
          facts: null,
          updatedBy: "ada",
        },
        access: { user: "root", credential: { name: "key" }, sudo: { mode: "passwordless" }, bastion },
        hostKey: { fingerprint: KEY, type: null, origin: "given", at: made?.createdAt },
        bastionHostKey: { fingerprint: OTHER_KEY, origin: "given" },
      });
      expect(await store.machines.getMachine("web-1")).toEqual(made);
      expect(await store.machines.getMachine("web-2")).toBeNull();
      const { events } = await store.read.readEvents({ after: 0, limit: 9 });
      expect(events.map(({ kind, body }) => [kind, body])).toEqual([["machine.enroll", { name: "web-1", version: 1 }]]);
      const [entry] = await store.read.listAudit({ limit: 9, objectName: "web-1" });
      expect(entry).toMatchObject({ action: "machine.enroll", body: { hostKey: KEY } });
    });

    it("takes all or none, and names everything that is taken", async ({ world }) => {
      const { store } = world;
      const [one, two] = await enroll(store, machine("one"), machine("two"));
      const before = await dump(world);
      const refused = await store.machines.enrollMachines(ada, [
        machine("three"),
        machine("one"),
        machine("four", { address: two?.address ?? "" }),
        machine("five", { address: two?.address ?? "", port: 2222 }),
        machine("two", { address: one?.address ?? "" }),
      ]);
      expect(refused).toEqual({
        taken: [
          { at: 1, what: "name", by: "one" },
          { at: 2, what: "address", by: "two" },
          { at: 4, what: "address", by: "one" },
          { at: 4, what: "name", by: "two" },
        ],
      });
      expect(await dump(world)).toEqual(before);
    });

    it("gives one address to one of several who want it at once", async ({ world }) => {
      const other = await world.open();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? world.store : other).machines.enrollMachines(ada, [
            machine(`free-${at}`),
            machine(`rival-${at}`, { address: "10.9.9.9" }),
          ]),
        ),
      );
      expect(answers.filter((answer) => "machines" in answer)).toHaveLength(1);
      const { items } = await world.store.machines.listMachines({ limit: 100 });
      expect(items).toHaveLength(2);
    });

    it("answers a repeated key as before, and keeps nothing without an audit entry", async ({ world }) => {
      const { machines } = world.store;
      const idempotency = { key: "k", requestHash: "h" };
      const wanted = [machine("web-1")];
      const made = await machines.enrollMachines(ada, wanted, { idempotency });
      expect(await machines.enrollMachines(ada, wanted, { idempotency })).toEqual(made);
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      expect(await failureOf(machines.enrollMachines(ada, [machine("web-2")]))).toContain("broken");
      expect(await dump(world)).toEqual(before);
    });
  });

  it("are listed by name, label, text and state, page by page", async ({ world: { store } }) => {
    await enroll(
      store,
      ...["c", "a", "b"].map((name) => machine(name, { labels: { name, ...(name === "b" ? {} : { even: "no" }) } })),
      machine("d", { address: "host_d.example" }),
    );
    const list = async (query = {}) =>
      (await store.machines.listMachines({ limit: 10, ...query })).items.map(({ name }) => name);
    expect(await list()).toEqual(["a", "b", "c", "d"]);
    expect(await list({ selector: selector("even=no,name!=a") })).toEqual(["c"]);
    expect(await list({ selector: selector("!even") })).toEqual(["b", "d"]);
    expect(await list({ scopes: [selector("name=a"), selector("name in (b,x)")] })).toEqual(["a", "b"]);
    expect(await list({ search: "HOST_D" })).toEqual(["d"]);
    expect(await list({ search: "name=c" })).toEqual(["c"]);
    expect(await list({ search: "hostxd" })).toEqual([]);
    expect(await list({ states: ["Pending"] })).toHaveLength(4);
    expect(await list({ states: ["Denied"] })).toEqual([]);
    const first = await store.machines.listMachines({ limit: 3 });
    expect(first.items).toHaveLength(3);
    const second = await store.machines.listMachines({ limit: 3, after: first.next ?? "" });
    expect(second.items.map(({ name }) => name)).toEqual(["d"]);
    expect(second.next).toBeNull();
    const places = [
      { address: "host_d.example", port: 22 },
      { address: "host_d.example", port: 23 },
    ];
    expect((await store.machines.findByPlace(places)).map(({ name }) => name)).toEqual(["d"]);
    expect(await store.machines.findByPlace([])).toEqual([]);
  });

  describe("changing", () => {
    it("looks anew only when it is reached another way, and keeps the pinned key", async ({ world: { store } }) => {
      const wanted = machine("web-1", { hostKey: KEY });
      const [made] = await enroll(store, wanted);
      const { name, hostKey: _, ...access } = wanted;
      const { token, machines } = await claim(store);
      await store.machineLooks.saveSeen(
        token,
        machines.map((one) => seen(one, { facts: FACTS })),
      );
      const labelled = await store.machines.changeMachine(ada, {
        name,
        access: { ...access, labels: { a: "b" } },
        expectedVersion: 1,
      });
      expect(labelled).toMatchObject({ machine: { version: 2, state: "Reachable", labels: { a: "b" } } });
      expect((await claim(store)).machines).toEqual([]);
      const moved = await store.machines.changeMachine(ada, { name, access: { ...access, port: 2222 } });
      expect(moved).toMatchObject({
        machine: { ...{ version: 3, state: "Pending", port: 2222, labels: {} }, hostKey: made?.hostKey, facts: FACTS },
      });
      expect(namesOf(await claim(store))).toEqual(["web-1"]);
    });

    it("is refused from another version, and to the place of another machine", async ({ world }) => {
      const { store } = world;
      const [wanted, rival] = [machine("web-1"), machine("web-2")];
      await enroll(store, wanted, rival);
      const { name, ...access } = wanted;
      const before = await dump(world);
      const change = store.machines.changeMachine(ada, { name, access, expectedVersion: 7 });
      expect(await refusalOf(change)).toBe("generation-conflict");
      const moved = { ...access, address: rival.address };
      expect(await store.machines.changeMachine(ada, { name, access: moved })).toEqual({
        taken: { at: 0, what: "address", by: "web-2" },
      });
      expect(await store.machines.changeMachine(ada, { name: "none", access })).toBeNull();
      expect(await dump(world)).toEqual(before);
    });
  });

  it("are forgotten with their labels", async ({ world: { store, execute } }) => {
    await enroll(store, machine("web-1", { labels: { a: "b" } }));
    expect(await store.machines.forgetMachine(ada, "web-1")).toBe(true);
    expect(await store.machines.forgetMachine(ada, "web-1")).toBe(false);
    expect(await execute("select * from machine_labels")).toEqual([]);
    const [entry] = await store.read.listAudit({ limit: 9, objectName: "web-1" });
    expect(entry).toMatchObject({ action: "machine.forget" });
  });

  describe("looks", () => {
    it("are due at once for new machines, and go to nobody else until they end or the lease does", async ({
      world,
    }) => {
      const { store } = world;
      expect(await store.machineLooks.nextMachineIn()).toBeNull();
      await enroll(store, machine("a"), machine("b"));
      expect(await store.machineLooks.nextMachineIn()).toBe(0);
      expect((await claim(store, { limit: 1, leaseMs: 9 * HOUR })).machines).toHaveLength(1);
      const second = await claim(store, { leaseMs: 2 * HOUR });
      expect(second.machines).toHaveLength(1);
      await letPass(world, HOUR, "machines");
      expect((await claim(store)).machines).toEqual([]);
      expect(await store.machineLooks.nextMachineIn()).toBeLessThanOrEqual(HOUR);
      expect(await store.machineLooks.nextMachineIn()).toBeGreaterThan(0);
      await letPass(world, HOUR, "machines");
      const third = await claim(store);
      expect(namesOf(third)).toEqual(namesOf(second));
      expect(
        await store.machineLooks.saveSeen(
          second.token,
          second.machines.map((one) => seen(one)),
        ),
      ).toEqual([]);
      expect(
        await store.machineLooks.saveSeen(
          third.token,
          third.machines.map((one) => seen(one)),
        ),
      ).toEqual(namesOf(third));
    });

    it("are each with one worker when several claim at once", async ({ world }) => {
      const other = await world.open();
      await enroll(world.store, ...Array.from({ length: 12 }, (_, at) => machine(`m${at}`)));
      const batches = await Promise.all(
        Array.from({ length: 6 }, (_, at) => claim(at % 2 === 0 ? world.store : other, { limit: 3 })),
      );
      const names = batches.flatMap(namesOf);
      expect(new Set(names).size).toBe(names.length);
    });

    it("leave what was seen, pin the key that was met first, and come again after their time", async ({
      world: { store },
    }) => {
      await enroll(store, machine("web-1"));
      const { token, machines } = await claim(store);
      const pin = { machine: { fingerprint: KEY, type: "ssh-ed25519" } };
      await store.machineLooks.saveSeen(
        token,
        machines.map((one) => seen(one, { facts: FACTS, pin })),
      );
      const after = await store.machines.getMachine("web-1");
      expect(after).toMatchObject({
        ...{ state: "Reachable", facts: FACTS, failures: 0, version: 1 },
        hostKey: { fingerprint: KEY, type: "ssh-ed25519", origin: "first-contact" },
      });
      expect(after?.factsAt).toBe(after?.lookedAt);
      const wait = (await store.machineLooks.nextMachineIn()) ?? 0;
      expect(wait).toBeGreaterThan(HOUR / 2);
      expect(wait).toBeLessThanOrEqual(HOUR);
      const { events } = await store.read.readEvents({ after: 0, limit: 9 });
      expect(events.at(-1)).toMatchObject({ kind: "machine.seen", body: { name: "web-1", state: "Reachable" } });
    });

    it("that failed keep the facts, count, and are told of once", async ({ world }) => {
      const { store } = world;
      await enroll(store, machine("web-1"));
      const look = async (more: Partial<MachineSeen>) => {
        const { token, machines } = await claim(store);
        await store.machineLooks.saveSeen(
          token,
          machines.map((one) => seen(one, { nextLookMs: 0, ...more })),
        );
        await letPass(world, 1_000, "machines");
      };
      await look({ facts: FACTS });
      const lost = { state: "Unreachable", reason: "timed-out", message: "It is away." } as const;
      await look(lost);
      await look(lost);
      expect(await store.machines.getMachine("web-1")).toMatchObject({ ...lost, facts: FACTS, failures: 2 });
      const { events } = await store.read.readEvents({ after: 0, limit: 9 });
      expect(events.filter(({ kind }) => kind === "machine.seen")).toHaveLength(2);
      await look({});
      expect(await store.machines.getMachine("web-1")).toMatchObject({ state: "Reachable", failures: 0 });
    });

    it("of a machine that was changed meanwhile are not kept, and repeated at once", async ({ world: { store } }) => {
      const wanted = machine("web-1");
      await enroll(store, wanted);
      const { token, machines } = await claim(store);
      const { name, ...access } = wanted;
      await store.machines.changeMachine(ada, { name, access: { ...access, user: "admin" } });
      expect((await claim(store)).machines).toEqual([]);
      expect(
        await store.machineLooks.saveSeen(
          token,
          machines.map((one) => seen(one, { facts: FACTS })),
        ),
      ).toEqual([]);
      expect(await store.machines.getMachine("web-1")).toMatchObject({ state: "Pending", facts: null });
      expect((await claim(store)).machines).toMatchObject([{ access: { user: "admin" } }]);
    });

    it("are repeated at once when somebody asked in between, and tell that they were", async ({ world: { store } }) => {
      await enroll(store, machine("web-1"));
      const first = await claim(store);
      expect(await store.machines.requestLook(ada, "none")).toBeNull();
      expect(await store.machines.requestLook(ada, "web-1")).toMatchObject({ name: "web-1" });
      await store.machineLooks.saveSeen(
        first.token,
        first.machines.map((one) => seen(one)),
      );
      const second = await claim(store);
      expect(namesOf(second)).toEqual(["web-1"]);
      await store.machineLooks.saveSeen(
        second.token,
        second.machines.map((one) => seen(one)),
      );
      const { events } = await store.read.readEvents({ after: 0, limit: 9 });
      expect(events.filter(({ kind }) => kind === "machine.seen")).toHaveLength(2);
      expect((await claim(store)).machines).toEqual([]);
    });

    it("that were not done after all are given back by whoever has them", async ({ world: { store } }) => {
      const [made] = await enroll(store, machine("web-1"));
      const { token } = await claim(store);
      await store.machineLooks.giveBack(token + 1, made?.id ?? "");
      expect((await claim(store)).machines).toEqual([]);
      await store.machineLooks.giveBack(token, made?.id ?? "");
      expect(namesOf(await claim(store))).toEqual(["web-1"]);
    });

    it("wake those who wait for them", async ({ world: { store } }) => {
      const woken = new Promise<void>((resolve) => store.wake.onWake("machines", resolve));
      await enroll(store, machine("web-1"));
      await woken;
    });
  });

  describe("a changed host key", () => {
    const change = async (store: Store) => {
      await enroll(store, machine("web-1", { hostKey: KEY }));
      const { token, machines } = await claim(store);
      const offered = { of: "machine", fingerprint: OTHER_KEY, type: "ssh-ed25519" } as const;
      const pin = { machine: { fingerprint: OTHER_KEY, type: "ssh-ed25519" } };
      const news = { state: "KeyChanged", reason: "host-key-changed", offered, pin } as const;
      await store.machineLooks.saveSeen(
        token,
        machines.map((one) => seen(one, news)),
      );
    };

    it("never replaces the pinned one by itself", async ({ world: { store } }) => {
      await change(store);
      expect(await store.machines.getMachine("web-1")).toMatchObject({
        ...{ state: "KeyChanged", hostKey: { fingerprint: KEY }, offeredKey: { fingerprint: OTHER_KEY } },
      });
    });

    it("is pinned when somebody accepts exactly what was offered, with both on record", async ({ world }) => {
      const { store } = world;
      await change(store);
      const before = await dump(world);
      const accept = (fingerprint: string, of: "machine" | "bastion" = "machine") =>
        store.machines.acceptHostKey(ada, { name: "web-1", of, fingerprint });
      expect(await refusalOf(accept(KEY))).toBe("host-key-differs");
      expect(await refusalOf(accept(OTHER_KEY, "bastion"))).toBe("host-key-differs");
      expect(await dump(world)).toEqual(before);
      expect(await store.machines.acceptHostKey(ada, { name: "none", of: "machine", fingerprint: KEY })).toBeNull();
      expect(await accept(OTHER_KEY)).toMatchObject({
        ...{ state: "Pending", offeredKey: null, version: 2 },
        hostKey: { fingerprint: OTHER_KEY, type: "ssh-ed25519", origin: "accepted" },
      });
      const [entry] = await store.read.listAudit({ limit: 9, objectName: "web-1" });
      expect(entry).toMatchObject({
        action: "machine.accept-key",
        body: { before: KEY, after: OTHER_KEY, of: "machine" },
      });
      expect(namesOf(await claim(store))).toEqual(["web-1"]);
    });
  });
}
