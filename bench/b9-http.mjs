// B9 over HTTP: pages of 100 from 10,000 clusters, filtered, with tokens checked, against node:http sending the same bytes.
import { join } from "node:path";
import { httpPages } from "./contenders/http-pages.mjs";
import { makeTemporaryFolder, runBenchmark } from "./lib/clean-up.mjs";
import { backUpFleet, makeSpec, WORKER } from "./lib/fleet.mjs";
import { startProcess } from "./lib/live/processes.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover, locateDrover } from "./lib/store.mjs";

const FILTERS = ["selector=fleet%3Dbench", "phase=Running&phase=Pending", "selector=environment%20in%20(dev,prod)"];

const CHANGE_MS = 2;

await runBenchmark(async () => {
  const { rounds, clusters, requests, dist } = readOptions({
    small: { clusters: 10_000, requests: 2_000 },
    full: { clusters: 10_000, requests: 20_000 },
    smoke: { clusters: 400, requests: 100 },
  });
  const drover = await loadDrover(dist);
  const backup = await backUpFleet(drover, {
    count: clusters,
    // Documents that come through the API have this by default.
    spec: (number) => ({ ...makeSpec(number), maintenance: {} }),
    prepare: (store) => bringAbout(store, clusters),
  });
  const file = join(makeTemporaryFolder("sqlite"), "drover.db");
  await drover.restoreStore({ url: file, file: backup });
  const server = await startProcess("page-server.mjs", { dist: await locateDrover(dist), file });
  const peer = await startProcess("byte-server.mjs", {});
  const headers = { authorization: `Bearer ${server.about.token}` };
  const read = (path) => readPage(`http://127.0.0.1:${server.about.port}`, path, headers);

  const first = [];
  const deep = [];
  for (const filter of FILTERS) {
    const base = `/api/v1/clusters?limit=100&${filter}`;
    first.push(await read(base));
    deep.push(await walk(read, base));
  }
  await peer.ask({
    order: "learn",
    pages: first.map(({ path, answered, body }) => ({ path, headers: answered, body })),
  });
  const pagesOf = (some, status = 200) =>
    some.map(({ path, body, answered }) => ({
      path,
      headers: status === 200 ? headers : { ...headers, "if-none-match": answered.etag },
      status,
      length: status === 200 ? Buffer.byteLength(body) : 0,
    }));
  console.log(
    `${describeMachine()}; ${clusters} clusters, pages of 100 of ${first.map(({ body }) => body.length)} bytes`,
  );
  const { port } = server.about;
  const results = await runRounds({
    rounds,
    contenders: [
      httpPages({ name: "drover, first page", port, pages: pagesOf(first), requests }),
      httpPages({ name: "node:http", port: peer.about.port, pages: pagesOf(first), requests }),
      httpPages({ name: "drover, deep page", port, pages: pagesOf(deep), requests }),
      whileChanging(
        server,
        httpPages({ name: "drover, in change", port, pages: pagesOf(first), requests: requests / 10 }),
      ),
      httpPages({ name: "drover, 304", port, pages: pagesOf(first, 304), requests }),
    ],
  });
  console.log(results.render());
  const rate = (name) => results.median(name, "requests/s");
  console.log(`ratio-in-change=${(rate("drover, in change") / rate("node:http")).toFixed(2)}`);
  console.log(`ratio-deep=${(rate("drover, first page") / rate("drover, deep page")).toFixed(2)}`);
  console.log(`ratio-304=${(rate("drover, 304") / rate("node:http")).toFixed(2)}`);
  tellRatio(rate("drover, first page") / rate("node:http"), 2);
});

/** Something is committed so often that next to no page can be answered from the reading of another. */
function whileChanging(server, contender) {
  const prepare = async () => {
    const { measure, dispose } = await contender.prepare();
    await server.ask({ order: "change", everyMs: CHANGE_MS });
    return {
      measure,
      dispose: async () => {
        await server.ask({ order: "change", everyMs: null });
        await dispose();
      },
    };
  };
  return { ...contender, prepare };
}

/**
 * As the measured requests ask: without compression. `fetch` asks for it otherwise and unpacks the answer, whose headers
 * then tell the length of other bytes than the peer sends.
 */
async function readPage(url, path, headers) {
  const answer = await fetch(url + path, { headers: { ...headers, "accept-encoding": "identity" } });
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}.`);
  const { connection: _, "keep-alive": __, date: ___, ...answered } = Object.fromEntries(answer.headers);
  const body = await answer.text();
  return { path, body, answered, next: JSON.parse(body).next };
}

/** The last page but one: full, and as deep as it goes. */
async function walk(read, base) {
  let [page, before] = [await read(base), null];
  while (page.next !== null) {
    before = page;
    page = await read(`${base}&after=${page.next}`);
  }
  return JSON.parse(page.body).items.length === 100 ? page : before;
}

/** Half of the clusters run, the others still wait. */
async function bringAbout(store, clusters) {
  for (let left = Math.floor(clusters / 2); left > 0; ) {
    const claimed = await store.jobs.claimJobs(WORKER, { limit: Math.min(left, 500), leaseMs: 60_000 });
    await store.jobs.finishJobs(claimed.map(({ ref }) => ({ ref, state: "Succeeded" })));
    left -= claimed.length;
  }
}
