import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { startNode, waitFor } from "../lib/processes.mjs";
import { makeSimulatedSpec } from "../lib/simulated-fleet.mjs";

const PROGRAM = fileURLToPath(new URL("drover-worker-process.mjs", import.meta.url));
/** The third call of a job never answers, once: whoever makes it is in the middle of a step. */
const HANGS_ONCE = [{ operation: "create", effect: "hang", after: 2, times: 1 }];

/**
 * Two workers, one of them in the middle of a step. It is killed, which the database hears of, or stopped, which nobody
 * hears of; the clock runs until the other one has made the first call of its own for that job.
 *
 * @param {{ signal: "SIGKILL" | "SIGSTOP", server?: import("../lib/postgres.mjs").PostgresServer }} options
 */
export function droverTakeOver({ drover, server, leaseSeconds, signal }) {
  const database = server === undefined ? "SQLite" : "PostgreSQL";
  return {
    name: `drover, ${database}, ${signal === "SIGKILL" ? "killed" : "stopped"}`,
    prepare: async () => {
      const dataDir = makeTemporaryFolder("take-over");
      writeFileSync(join(dataDir, "master.key"), "07".repeat(32), { mode: 0o600 });
      const name = server === undefined ? null : await server.createDatabase("take_over");
      const url = name === null ? join(dataDir, "drover.db") : server.urlOf(name);
      const store = await drover.openStore({ url });
      const ledger = await openLedger(drover, dataDir);
      await declareHanging(store);
      const start = () =>
        startNode([PROGRAM, dataDir, String(leaseSeconds), drover.folder], {
          env: { DROVER_STORE: url },
        });
      const doomed = start();
      const hanging = () => ledger.read().find(({ fault }) => fault === "hang");
      const { token: stale } = await waitFor(hanging, { why: doomed.complaint });
      const other = start();
      const why = () => doomed.complaint() + other.complaint();
      await waitFor(async () => (await store.leases.listLeases("worker/")).length === 2, { why });
      return {
        measure: async () => {
          const begin = signal === "SIGKILL" ? end(doomed) : await stopBetweenWrites(doomed, store);
          const patienceMs = (leaseSeconds + 60) * 1_000;
          const first = await waitFor(() => ledger.read().find(({ token }) => token > stale), { patienceMs, why });
          await waitFor(async () => (await store.read.listJobs({ limit: 1 })).items[0]?.state === "Succeeded", { why });
          return { "resumed-ms": first.at - begin, "duplicate-effects": ledger.countDuplicates() };
        },
        dispose: async () => {
          await Promise.all([doomed.kill(), other.kill()]);
          await store.close();
          if (name !== null) await server.dropDatabase(name);
        },
      };
    },
  };
}

function end(worker) {
  const begin = Date.now();
  worker.signal("SIGKILL");
  return begin;
}

/**
 * Whoever is stopped in the middle of a write to a SQLite file keeps everybody from writing until it goes on, and on
 * PostgreSQL for ten seconds. That is not what is measured: then it goes on, and is stopped a moment later.
 */
async function stopBetweenWrites(worker, store) {
  for (;;) {
    const begin = Date.now();
    worker.signal("SIGSTOP");
    const written = store.leases.acquireLease({ key: "probe", holder: "bench", ttlMs: 1 }).then(() => true);
    if (await Promise.race([written, sleep(500, false)])) return begin;
    worker.signal("SIGCONT");
    await written;
    await sleep(50);
  }
}

async function declareHanging(store) {
  const spec = makeSimulatedSpec(1);
  await store.desired.declareCluster({
    name: "hangs-once",
    spec: { ...spec, simulated: { ...spec.simulated, faults: HANGS_ONCE } },
    jobKind: "create",
    actor: { type: "user", name: "bench" },
  });
}

async function openLedger(drover, dataDir) {
  const [{ readLedger }, { auditLedger }] = await Promise.all([
    drover.load("providers/simulated/file-world.js"),
    drover.load("providers/simulated/audit-ledger.js"),
  ]);
  const file = join(dataDir, "simulated.jsonl");
  const read = () => (existsSync(file) ? readLedger(file) : []);
  return {
    read,
    /** Things of which there were two at once, clusters that were made again, and what a stale call changed. */
    countDuplicates: () => {
      const { doubles, creates, staleEffects } = auditLedger(read());
      return doubles.length + (creates - 1) + staleEffects.length;
    },
  };
}
