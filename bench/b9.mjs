// B9, store part: the first page of 10,000 clusters against the 1,000th, on both databases, with and without filters.
import { join } from "node:path";
import { clusterPages } from "./contenders/cluster-pages.mjs";
import { makeTemporaryFolder, runBenchmark } from "./lib/clean-up.mjs";
import { backUpFleet, restoreFleet, WORKER } from "./lib/fleet.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { startPostgres } from "./lib/postgres.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";

const PAGE = 10;
const label = (key, value) => [{ key, op: "in", values: [value] }];

/** By name unless it says otherwise. */
const LISTS = {
  all: {},
  "all, newest first": { sort: "created", descending: true },
  "label that all have": { selector: label("fleet", "bench") },
  "label of a quarter": { selector: label("environment", "prod") },
  "label of a twentieth": { selector: label("team", "team-7") },
  "phases that all have": { phases: ["Running", "Pending"] },
  "phase of half": { phases: ["Running"] },
};

await runBenchmark(async () => {
  const {
    rounds,
    clusters,
    looks,
    dist,
    "deep-page": deepPage,
  } = readOptions({
    small: { clusters: 10_000, looks: 100, "deep-page": 1_000 },
    full: { clusters: 10_000, looks: 1_000, "deep-page": 1_000 },
    smoke: { clusters: 400, looks: 5, "deep-page": 40 },
  });
  const drover = await loadDrover(dist);
  const server = await startPostgres();
  console.log(`${describeMachine()}; PostgreSQL ${await server.describe()}; ${clusters} clusters, pages of ${PAGE}`);
  const file = await backUpFleet(drover, { count: clusters, prepare: (store) => bringAboutHalf(store, clusters) });
  const sqlite = join(makeTemporaryFolder("sqlite"), "drover.db");
  await drover.restoreStore({ url: sqlite, file });
  const database = await restoreFleet(drover, { server, file });
  const stores = {
    sqlite: await drover.openStore({ url: sqlite }),
    postgres: await drover.openStore({ url: server.urlOf(database) }),
  };
  const contenders = [];
  for (const [name, query] of Object.entries(LISTS)) {
    for (const [kind, store] of Object.entries(stores)) {
      contenders.push(
        await clusterPages({ name: `${kind}: ${name}`, store, query: { ...query, limit: PAGE }, looks, deepPage }),
      );
    }
  }
  const results = await runRounds({ rounds, contenders, say: () => {} });
  for (const store of Object.values(stores)) await store.close();
  console.log(results.render());
  const worst = (some) => Math.max(...some.map(({ name }) => results.median(name, "deep/first")));
  console.log(`ratio-shorter-lists=${worst(contenders.filter(({ page }) => page < deepPage)).toFixed(2)}`);
  // The lists that are as long as that: the target is about these.
  tellRatio(worst(contenders.filter(({ page }) => page === deepPage)), 2);
});

/** Half of the clusters run; the others, and among names they come after the first half, still wait. */
async function bringAboutHalf(store, clusters) {
  for (let left = Math.floor(clusters / 2); left > 0; ) {
    const claimed = await store.jobs.claimJobs(WORKER, { limit: Math.min(left, 500), leaseMs: 60_000 });
    await store.jobs.finishJobs(claimed.map(({ ref }) => ({ ref, state: "Succeeded" })));
    left -= claimed.length;
  }
}
