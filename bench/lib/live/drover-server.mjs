// Drover's own server on a SQLite file, with one job whose log grows as it is told: stored first, then streamed.
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { declareFleet, WORKER } from "../fleet.mjs";
import { makeText } from "./lines.mjs";
import { serveOrders } from "./processes.mjs";

const { dist, folder } = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(join(resolve(dist), path)).href);
const [{ buildServer }, { openStore }, { masterKey }, { Argon2Passwords }, { sha256 }, { pino }] = await Promise.all([
  load("http/server.js"),
  load("store/open-store.js"),
  load("store/secrets/key-ring.js"),
  load("app/access/argon2-passwords.js"),
  load("lib/sha256.js"),
  import("pino"),
]);

const LEASE_MS = 3_600_000;
const ACTOR = { type: "system", name: "bench" };
const keys = { current: masterKey(Buffer.alloc(32, 7)), older: [] };
const store = await openStore({ url: join(folder, "drover.db"), keys });
await declareFleet(store, { count: 1, atOnce: 1 });
const [{ ref }] = await store.jobs.claimJobs(WORKER, { limit: 1, leaseMs: LEASE_MS });
const user = await store.access.createUser(ACTOR, { name: "bench", role: "viewer" });
const secret = "drv_bench";
await store.access.createToken(ACTOR, { userId: user.id, name: "bench", tokenHash: sha256(secret), role: "viewer" });

const server = await buildServer({
  app: { store, providers: new Map(), describeChanges: async (plan) => plan },
  access: {
    passwords: new Argon2Passwords({ memoryKib: 8, passes: 1, lanes: 1 }),
    clock: { now: Date.now, monotonic: () => performance.now() },
    sessions: { idleMs: LEASE_MS, longestMs: LEASE_MS },
    ...{ publicUrl: null, trustedProxies: [], rateLimits: { perCaller: 0, perAddress: 0 }, openId: null },
  },
  log: pino({ level: "silent" }),
  version: "bench",
  ready: async () => ({ ok: true }),
  ...{ listenHost: "127.0.0.1", allowedHosts: [], webDir: undefined },
});
await server.listen({ host: "127.0.0.1", port: 0 });

const append = (count) =>
  store.jobs.appendLog(
    ref,
    Array.from({ length: count }, () => ({ stepId: "install", host: "node-1", stream: "stdout", text: makeText() })),
  );

serveOrders(
  {
    url: `ws://127.0.0.1:${server.server.address().port}/api/v1/jobs/${ref.jobId}/log/socket`,
    headers: { authorization: `Bearer ${secret}` },
  },
  {
    /** As fast as it goes, in batches as the engine writes them when there is much. */
    flood: async ({ lines, batch }) => {
      for (let left = lines; left > 0; left -= batch) await append(Math.min(batch, left));
    },
    /** A few at a time, regularly. */
    pace: async ({ batches, batch, everyMs }) => {
      for (let turn = 0; turn < batches; turn++) {
        await append(batch);
        await sleep(everyMs);
      }
    },
    memory: async () => ({ rssBytes: process.memoryUsage().rss }),
  },
);
