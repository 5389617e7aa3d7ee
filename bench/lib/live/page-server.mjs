// Drover's own server on a SQLite file that holds a fleet already, with tokens checked and without rate limits.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serveOrders } from "./processes.mjs";

const { dist, file } = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(join(resolve(dist), path)).href);
const [{ buildServer }, { openStore }, { masterKey }, { Argon2Passwords }, { sha256 }, { pino }] = await Promise.all([
  load("http/server.js"),
  load("store/open-store.js"),
  load("store/secrets/key-ring.js"),
  load("app/access/argon2-passwords.js"),
  load("lib/sha256.js"),
  import("pino"),
]);

const HOUR_MS = 3_600_000;
const ACTOR = { type: "system", name: "bench" };
const keys = { current: masterKey(Buffer.alloc(32, 7)), older: [] };
const store = await openStore({ url: file, keys });
const user = await store.access.createUser(ACTOR, { name: "bench", role: "viewer" });
const secret = "drv_bench";
await store.access.createToken(ACTOR, { userId: user.id, name: "bench", tokenHash: sha256(secret), role: "viewer" });
const server = await buildServer({
  app: { store, providers: new Map(), describeChanges: async (plan) => plan },
  access: {
    passwords: new Argon2Passwords({ memoryKib: 8, passes: 1, lanes: 1 }),
    clock: { now: Date.now, monotonic: () => performance.now() },
    sessions: { idleMs: HOUR_MS, longestMs: HOUR_MS },
    ...{ publicUrl: null, trustedProxies: [], rateLimits: { perCaller: 0, perAddress: 0 }, openId: null },
  },
  log: pino({ level: "silent" }),
  version: "bench",
  ready: async () => ({ ok: true }),
  ...{ listenHost: "127.0.0.1", allowedHosts: [], webDir: undefined, options: [] },
});
await server.listen({ host: "127.0.0.1", port: 0 });

let writing = null;
let writes = 0;
const write = () => store.settings.putSetting(ACTOR, { key: "bench", value: ++writes });

serveOrders(
  { port: server.server.address().port, token: secret },
  {
    /** Something is committed every so often, or nothing any more. */
    change: async ({ everyMs }) => {
      clearInterval(writing);
      writing = everyMs === null ? null : setInterval(write, everyMs);
    },
  },
);
