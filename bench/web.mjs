// The web page against the budgets of its design: in Chromium, with a slow processor and a slow network.
import { join } from "node:path";
import { makeTemporaryFolder, runBenchmark } from "./lib/clean-up.mjs";
import { startProcess } from "./lib/live/processes.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";
import { launchBrowser } from "./lib/web/browser.mjs";
import { fillStore } from "./lib/web/fill-store.mjs";
import { idleFrames, liveLong, loadAndUse, openLarge, scrollFleet } from "./lib/web/measures.mjs";

const PASSWORD = "correct horse battery staple";
const PAINTS = { "first-paint-ms": 1_000, "lcp-ms": 1_800, "inp-p75-ms": 100 };
const LARGE = { "interactive-ms": 1_000 };

/** What each figure may be at most. */
const BUDGETS = {
  overview: PAINTS,
  fleet: PAINTS,
  job: PAINTS,
  "first page": { "interactive-ms": 500 },
  scroll: { "frame-median-ms": 17, "frame-longest-ms": 50 },
  "graph, folded": LARGE,
  "graph, flat": LARGE,
  diff: LARGE,
  log: LARGE,
  "long day": { "heap-MB": 150 },
};

/** Pages are left alone for `quiet-ms` before and after what is measured, so that nothing of them is still under way. */
const SIZE = {
  ...{ clusters: 10_000, steps: 2_000, differences: 50_000, lines: 1_000_000, changes: 2_000, pages: 50 },
  ...{ "quiet-ms": 1_500, "idle-ms": 8_000 },
};
const SMOKE = {
  ...{ clusters: 200, steps: 100, differences: 100, lines: 1_000, changes: 50, pages: 8 },
  ...{ "quiet-ms": 300, "idle-ms": 300 },
};

await runBenchmark(async () => {
  const { rounds, clusters, steps, differences, lines, changes, pages, dist, ...waits } = readOptions({
    small: SIZE,
    full: { ...SIZE, changes: 20_000, pages: 500 },
    smoke: SMOKE,
  });
  const drover = await loadDrover(dist);
  const folder = makeTemporaryFolder("web");
  const jobs = await fillStore(drover, { folder, clusters, steps, lines });
  const user = { name: "bench", password: PASSWORD };
  const server = await startProcess("web-server.mjs", {
    ...{ dist: drover.folder, file: join(folder, "drover.db"), webDir: join(drover.folder, "../../web/dist") },
    ...user,
  });
  const browser = await launchBrowser();
  const world = {
    ...{ browser, jobs, site: { url: server.about.url, ...user } },
    ...{ quietMs: waits["quiet-ms"], idleMs: waits["idle-ms"] },
    change: (perSecond) => server.ask({ order: "change", perSecond }),
  };
  console.log(
    `${describeMachine()}; Chromium ${browser.version()}, processor 4 × slower, 10 Mbit/s, 40 ms; ${clusters} clusters, ${steps} steps, ${differences} differences, ${lines} lines`,
  );
  const results = await runRounds({
    rounds,
    contenders: [
      ...["overview", "fleet", "job"].map((name) => loadAndUse(world, name)),
      openLarge(world, {
        name: "first page",
        warm: "/clusters?q=nothing",
        to: "/clusters",
        selector: '[role="row"][data-index="5"]',
      }),
      idleFrames(world),
      scrollFleet(world, { perSecond: 500, clusters }),
      openLarge(world, {
        name: "graph, folded",
        warm: `/jobs/${jobs.long}`,
        to: `/jobs/${jobs.folded}`,
        selector: ".react-flow__node",
      }),
      openLarge(world, {
        name: "graph, flat",
        warm: `/jobs/${jobs.long}`,
        to: `/jobs/${jobs.flat}`,
        selector: ".react-flow__node, canvas",
      }),
      openLarge(world, {
        ...{
          name: "diff",
          warm: "/clusters/cluster-000020/history",
          to: "/clusters/cluster-000010/history?from=1&to=2",
          selector: "table code",
        },
        prepare: (page) => answerDiff(page, differences),
      }),
      openLarge(world, {
        ...{
          name: "log",
          warm: `/jobs/${jobs.folded}`,
          to: `/jobs/${jobs.long}`,
          selector: '[role="log"]',
          text: String(lines),
        },
      }),
      liveLong(world, { changes, pages }),
    ],
  });
  console.log(results.render());
  const shares = Object.entries(BUDGETS).flatMap(([name, figures]) =>
    Object.entries(figures).map(([figure, budget]) => judge(results.median(name, figure), { name, figure, budget })),
  );
  // The worst of them: at most 1 when every budget is kept.
  tellRatio(Math.max(...shares), 2);
});

function judge(value, { name, figure, budget }) {
  console.log(`${value <= budget ? "ok  " : "over"}  ${name}  ${figure} ${value.toFixed(1)} of ${budget}`);
  return value / budget;
}

/** No document that the server takes is so large: the answer is handed to the page instead of asked for. */
async function answerDiff(page, count) {
  const differences = Array.from({ length: count }, (_, number) => ({
    path: `spec.ssh.nodes[${number}].address`,
    before: `10.0.${number >> 8}.${number & 255}`,
    after: `10.1.${number >> 8}.${number & 255}`,
  }));
  const body = JSON.stringify({ differences });
  await page.route(/\/api\/v1\/clusters\/[^/]+\/diff/, (route) =>
    route.fulfill({ contentType: "application/json", body }),
  );
}
