import { join } from "node:path";
import { makeTemporaryFolder } from "./clean-up.mjs";

const ENVIRONMENTS = ["dev", "test", "stage", "prod"];
const ACTOR = { type: "user", name: "bench", address: "127.0.0.1" };

export const clusterName = (number) => `cluster-${String(number).padStart(6, "0")}`;

/** A spec of ordinary size: one control plane and two workers over SSH. */
export function makeSpec(number) {
  const address = (host) => `10.${(number >> 12) & 255}.${(number >> 4) & 255}.${((number & 15) << 4) + host}`;
  return {
    provider: "ssh",
    desiredState: "present",
    kubernetes: { version: "v1.34.4" },
    ssh: {
      distribution: "kubeadm",
      access: { user: "drover", port: 22, credential: { name: "machines" }, sudo: { mode: "passwordless" } },
      schedulableControlPlane: false,
      endpoint: { type: "node" },
      etcd: { topology: "stacked" },
      nodes: [
        { name: `${clusterName(number)}-a`, address: address(1), roles: ["controlplane", "etcd"] },
        { name: `${clusterName(number)}-b`, address: address(2), roles: ["worker"] },
        { name: `${clusterName(number)}-c`, address: address(3), roles: ["worker"] },
      ],
    },
  };
}

/**
 * Declares clusters through the front door: each with its revision, job, event and audit entry, several at a time.
 *
 * @param {import("../../drover/src/ports/store/index.ts").Store} store
 */
export async function declareFleet(store, { count, atOnce = 64, from = 0, spec = makeSpec }) {
  let next = from;
  const declareSome = async () => {
    while (next < from + count) {
      const number = next++;
      await store.desired.declareCluster({
        name: clusterName(number),
        spec: spec(number),
        labels: {
          fleet: "bench",
          environment: ENVIRONMENTS[number % ENVIRONMENTS.length],
          team: `team-${number % 20}`,
        },
        expectedVersion: null,
        jobKind: "create",
        actor: ACTOR,
        reason: "benchmark",
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, declareSome));
}

export const WORKER = { id: "bench-worker", host: "bench-host", providers: ["ssh"], hostBound: [] };

/**
 * A backup of a store with declared clusters, to be restored into either database. Declared in a SQLite file, where
 * those that wait at the same moment share a commit: on PostgreSQL each would wait for its turn at the audit chain.
 * `prepare` may go on with them before the backup is made.
 */
export async function backUpFleet(drover, { count, spec = makeSpec, prepare = async () => {}, say = console.error }) {
  const folder = makeTemporaryFolder("fleet");
  const store = await drover.openStore({ url: join(folder, "drover.db") });
  const begin = performance.now();
  await declareFleet(store, { count, spec });
  const seconds = (performance.now() - begin) / 1_000;
  say(`declared ${count} clusters in ${seconds.toFixed(1)} s (${Math.round(count / seconds)}/s, on SQLite)`);
  await prepare(store);
  const file = join(folder, "fleet.backup");
  await store.upkeep.backUp(file);
  await store.close();
  return file;
}

/** A PostgreSQL database with that fleet in it, of which the rounds get copies. */
export async function restoreFleet(drover, { server, file, say = console.error }) {
  const database = await server.createDatabase("fleet");
  const begin = performance.now();
  const { rows } = await drover.restoreStore({ url: server.urlOf(database), file });
  await server.query("vacuum analyze", { database });
  say(`restored ${rows} rows into PostgreSQL in ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  return database;
}
