import type { NewMachine } from "@drover/contract";
import { expect, it, onTestFinished } from "vitest";
import { startJump } from "../../test/ssh/jump-server.ts";
import { findFreePort } from "../../test/ssh/private-sshd.ts";
import { openPool, openScripted, openServer, SERVERS } from "../../test/ssh/servers.ts";
import { makeKeyPair, type SshServer } from "../../test/ssh/ssh-server.ts";
import { openTestStore } from "../../test/store.ts";
import { waitFor, waitUntil } from "../../test/wait-for.ts";
import { fingerprintOf } from "../connectors/ssh/host-key.ts";
import { systemClock } from "../ports/clock.ts";
import { type MachineRecord, NAMED_SECRETS, type Store } from "../ports/store/index.ts";
import { systemTimer } from "../ports/timer.ts";
import { MachineLoop } from "../reconciler/machine-loop.ts";
import { makeReach } from "./reach-machine.ts";

const ADA = { type: "user", name: "ada" } as const;
const HOUR = 3_600_000;

async function openWorld() {
  const { store, dispose } = await openTestStore();
  onTestFinished(dispose);
  const pool = openPool({ connectMs: 3_000 });
  const errors: unknown[] = [];
  const loop = new MachineLoop({
    ...{ store, timer: systemTimer, random: () => 0, onError: (_, error) => errors.push(error) },
    look: {
      ...{ reach: makeReach(pool), readSecret: store.secrets.getSecret.bind(store.secrets) },
      ...{ clock: systemClock, deadlineMs: 20_000 },
    },
    options: { refreshMs: HOUR, limit: 8, leaseMs: 60_000, idleMs: 60_000, gatherMs: 5 },
  });
  const look = async () => {
    await loop.runOnce(new AbortController().signal);
    expect(errors).toEqual([]);
  };
  return { store, loop, look };
}

/** Stores the key that lets us in, under the name of the machine. */
async function enroll(store: Store, server: SshServer, name: string, more: Partial<NewMachine> = {}): Promise<void> {
  const { host, port = 22, user, credentials } = server.target;
  const entries = { privateKey: credentials.privateKeys?.[0]?.key ?? "" };
  const value = Buffer.from(JSON.stringify(entries));
  await store.secrets.putSecret(ADA, { owner: NAMED_SECRETS, name, value });
  const machine: NewMachine = {
    name,
    address: host,
    port,
    user,
    credential: { name },
    sudo: { mode: "none" },
    ...more,
  };
  const done = await store.machines.enrollMachines(ADA, [machine]);
  if ("taken" in done) throw new Error(JSON.stringify(done));
}

const get = async (store: Store, name: string): Promise<MachineRecord> => {
  const machine = await store.machines.getMachine(name);
  if (machine === null) throw new Error(`there is no ${name}`);
  return machine;
};

it.each(SERVERS)(
  "pins the key of a machine that is met for the first time, and tells what is there (%s)",
  async (_, start) => {
    const { store, look } = await openWorld();
    const server = await openServer(start);
    await enroll(store, server, "web-1");
    await look();
    const seen = await get(store, "web-1");
    expect(seen).toMatchObject({
      ...{ state: "Reachable", reason: null, message: "", failures: 0 },
      hostKey: { fingerprint: fingerprintOf(server.hostKey), type: "ssh-ed25519", origin: "first-contact" },
      facts: { kernel: expect.any(String), cpus: expect.any(Number), cgroup: expect.stringMatching(/^v[12]$/) },
    });
    expect(Math.abs(seen.facts?.clockSkewMs ?? Number.NaN)).toBeLessThan(1_000);
    expect(await store.machineLooks.nextMachineIn()).toBeGreaterThan(HOUR / 2);
  },
);

it("asks a machine everything in one command, on one connection once it is known", async () => {
  const { store, look } = await openWorld();
  const server = await openScripted();
  await enroll(store, server, "web-1");
  await look();
  const { connections } = server.counts;
  expect(connections).toBe(2);
  await store.machines.requestLook(ADA, "web-1");
  await look();
  expect(server.counts.connections).toBe(connections);
  expect((await get(store, "web-1")).state).toBe("Reachable");
});

it("says nothing to a machine that shows another key than was given, and goes on when that one is accepted", async () => {
  const { store, look } = await openWorld();
  const server = await openScripted();
  const given = `SHA256:${"x".repeat(43)}`;
  const shown = fingerprintOf(server.hostKey);
  await enroll(store, server, "web-1", { hostKey: given });
  await look();
  const seen = await get(store, "web-1");
  expect(seen).toMatchObject({
    ...{ state: "KeyChanged", reason: "host-key-changed", facts: null, hostKey: { fingerprint: given } },
    offeredKey: { of: "machine", fingerprint: shown, type: "ssh-ed25519" },
  });
  expect(seen.message).toContain(`drover machine accept-key web-1 ${shown}`);
  expect(server.counts.channels).toBe(0);
  await store.machines.acceptHostKey(ADA, { name: "web-1", of: "machine", fingerprint: shown });
  await look();
  expect(await get(store, "web-1")).toMatchObject({
    state: "Reachable",
    offeredKey: null,
    hostKey: { origin: "accepted" },
  });
});

it("notices a machine that was known and is another now, and keeps what was known", async () => {
  const { store, look } = await openWorld();
  const server = await openScripted();
  await enroll(store, server, "web-1");
  await look();
  const impostor = await openScripted({ hostKey: makeKeyPair() });
  const { access, address } = await get(store, "web-1");
  await store.machines.changeMachine(ADA, { name: "web-1", access: { ...access, address, port: impostor.port } });
  await look();
  expect(await get(store, "web-1")).toMatchObject({
    ...{ state: "KeyChanged", facts: { kernel: expect.any(String) } },
    hostKey: { fingerprint: fingerprintOf(server.hostKey) },
    offeredKey: { fingerprint: fingerprintOf(impostor.hostKey) },
  });
  expect(impostor.counts.channels).toBe(0);
});

it("is not held up by a machine that is away, and comes back to that one soon, then less often", async () => {
  const { store, look } = await openWorld();
  const server = await openScripted();
  await enroll(store, server, "here");
  await enroll(store, server, "away", { port: await findFreePort() });
  await look();
  expect((await get(store, "here")).state).toBe("Reachable");
  const away = await get(store, "away");
  expect(away).toMatchObject({ state: "Unreachable", reason: "refused", failures: 1, facts: null, hostKey: null });
  expect(away.message).toContain("Check that sshd runs there");
  expect(await store.machineLooks.nextMachineIn()).toBeLessThanOrEqual(10_000);
  await store.machines.requestLook(ADA, "away");
  await look();
  expect((await get(store, "away")).failures).toBe(2);
  expect(await store.machineLooks.nextMachineIn()).toBeGreaterThan(15_000);
});

it("tells who does not let us in from who is away, and does not bother them again soon", async () => {
  const { store, look } = await openWorld();
  const server = await openScripted({ authenticate: (context) => context.reject() });
  await enroll(store, server, "closed");
  const other = await openScripted();
  await enroll(store, other, "keyless", { credential: { name: "nowhere" } });
  const third = await openScripted();
  await enroll(store, third, "broken", { credential: { name: "closed", key: "none" } });
  await look();
  expect(await get(store, "closed")).toMatchObject({ state: "Denied", reason: "auth-refused" });
  expect(await get(store, "keyless")).toMatchObject({ state: "Denied", reason: "secret-missing" });
  expect(await get(store, "broken")).toMatchObject({ state: "Denied", reason: "secret-missing" });
  expect(await store.machineLooks.nextMachineIn()).toBeGreaterThan(HOUR / 2);
});

it("knows nothing of a machine whose shell says something else", async () => {
  const { store, look } = await openWorld();
  const server = await openScripted({ prelude: "exit 3;" });
  await enroll(store, server, "odd");
  await look();
  expect(await get(store, "odd")).toMatchObject({ state: "Denied", reason: "no-session", facts: null });
});

it("goes through a bastion, and pins the keys of both", async () => {
  const { store, look } = await openWorld();
  const [server, jump] = [await openScripted(), await startJump()];
  // It ends with the last connection, which the pool closes afterwards.
  onTestFinished(() => void jump.stop());
  const [jumpKey] = jump.target.hostKeys;
  const bastion = {
    address: "127.0.0.1",
    port: jump.target.port ?? 22,
    user: jump.target.user,
    credential: { name: "jump" },
  };
  const value = Buffer.from(JSON.stringify({ privateKey: jump.target.credentials.privateKeys?.[0]?.key }));
  await store.secrets.putSecret(ADA, { owner: NAMED_SECRETS, name: "jump", value });
  await enroll(store, server, "web-1", { bastion });
  await look();
  expect(await get(store, "web-1")).toMatchObject({
    state: "Reachable",
    hostKey: { fingerprint: fingerprintOf(server.hostKey) },
    bastionHostKey: { fingerprint: jumpKey && fingerprintOf(jumpKey), origin: "first-contact" },
  });
});

it("looks at a machine whose worker has died with it, and gives back what it is stopped at", async () => {
  const { store, loop } = await openWorld();
  const server = await openScripted();
  await enroll(store, server, "web-1");
  // Its lease is over at once.
  await store.machineLooks.claimMachines({ limit: 9, leaseMs: 0 });
  const stop = new AbortController();
  const running = loop.run(stop.signal);
  await waitFor(async () => expect((await get(store, "web-1")).state).toBe("Reachable"));
  const slow = await openScripted({ prelude: "sleep 3600;" });
  await enroll(store, slow, "slow");
  await waitUntil(() => slow.counts.channels > 0);
  stop.abort();
  await running;
  expect(await get(store, "slow")).toMatchObject({ state: "Pending", lookedAt: null });
  expect(await store.machineLooks.nextMachineIn()).toBe(0);
});
