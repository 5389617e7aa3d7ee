// Drover's own server with its web page, on a SQLite file that holds a fleet already. Its live jobs change as told.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { WORKER } from "../fleet.mjs";
import { makeChain } from "../steps.mjs";
import { serveOrders } from "./processes.mjs";

const { dist, file, webDir, name, password } = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(join(resolve(dist), path)).href);
const [{ buildServer }, { openStore }, { masterKey }, { Argon2Passwords }, { pino }] = await Promise.all([
  load("http/server.js"),
  load("store/open-store.js"),
  load("store/secrets/key-ring.js"),
  load("app/access/argon2-passwords.js"),
  import("pino"),
]);

const HOUR_MS = 3_600_000;
const TICK_MS = 20;
const ACTOR = { type: "system", name: "bench" };
const keys = { current: masterKey(Buffer.alloc(32, 7)), older: [] };
const store = await openStore({ url: file, keys });
const passwords = new Argon2Passwords({ memoryKib: 8, passes: 1, lanes: 1 });
await store.access.createUser(ACTOR, { name, role: "admin", passwordHash: await passwords.hash(password) });
const server = await buildServer({
  app: { store, providers: new Map(), describeChanges: async (plan) => plan },
  access: {
    passwords,
    clock: { now: Date.now, monotonic: () => performance.now() },
    sessions: { idleMs: HOUR_MS, longestMs: HOUR_MS },
    ...{ publicUrl: null, trustedProxies: [], rateLimits: { perCaller: 0, perAddress: 0 }, openId: null },
  },
  log: pino({ level: "silent" }),
  version: "bench",
  ready: async () => ({ ok: true }),
  ...{ listenHost: "127.0.0.1", allowedHosts: [], webDir, options: [] },
});
await server.listen({ host: "127.0.0.1", port: 0 });

/** Jobs that wait are taken, and from then on only this changes them. */
const worker = { ...WORKER, providers: ["simulated"] };
const live = [];
const claimLive = async () => {
  const plan = makeChain("bench", 5);
  const steps = plan.steps.map(({ id, name: step, title, host }) => ({ stepId: id, name: step, title, host }));
  for (;;) {
    const claimed = await store.jobs.claimJobs(worker, { limit: 500, leaseMs: HOUR_MS });
    if (claimed.length === 0) return;
    for (const { ref } of claimed) {
      await store.jobs.beginPlan(ref, { hash: "bench-live", body: plan, steps });
      live.push(ref);
    }
  }
};
await claimLive();

let ticking = null;
let told = 0;
let at = 0;
/** Each change of a step is one event; the jobs take turns, so that the whole fleet is touched. */
const change = (count) => {
  for (let left = count; left > 0; left -= 1, at += 1) {
    const step = { stepId: `step-${at % 5}`, state: "Running", attempt: 1 + (at % 7) };
    void store.jobs.saveSteps(live[(at * 619) % live.length], [step]);
    told += 1;
  }
};

serveOrders(
  { url: `http://127.0.0.1:${server.server.address().port}`, live: live.length },
  {
    /** So many events each second from now on; answers how many there were. */
    change: async ({ perSecond }) => {
      clearInterval(ticking);
      const begin = performance.now();
      const before = told;
      const due = () => Math.floor(((performance.now() - begin) / 1_000) * perSecond) - (told - before);
      ticking = perSecond === 0 ? null : setInterval(() => change(due()), TICK_MS);
      return { told };
    },
  },
);
