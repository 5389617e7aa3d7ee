import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../statistics.mjs";
import { openPage } from "./browser.mjs";
import { goAndSettle, readFrames, readInteractions, readPaints, watchFrames, watchPage } from "./in-page.mjs";

const PATIENCE_MS = 60_000;

/**
 * @typedef {object} World
 * @property {import("playwright-core").Browser} browser
 * @property {{ url: string, name: string, password: string }} site
 * @property {Record<"folded" | "flat" | "long", string>} jobs
 * @property {(perSecond: number) => Promise<{ told: number }>} change
 * @property {number} quietMs How long a page is left alone before something is read off it.
 * @property {number} idleMs How long an empty page is watched.
 */

/** What the pages show once they are there, and what somebody then does on them. */
const PAGES = {
  overview: {
    path: () => "/overview",
    ready: "main h2",
    use: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").waitFor();
      await page.keyboard.type("cluster-0012", { delay: 60 });
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await sleep(300);
      await page.keyboard.press("Escape");
    },
  },
  fleet: {
    path: () => "/clusters",
    ready: '[role="row"][data-index="5"]',
    use: async (page) => {
      for (const key of ["j", "j", "j", "x", "j", "x", "k", "x", "x"]) await press(page, key);
      await page.keyboard.press("/");
      await page.keyboard.type("cluster-0012", { delay: 60 });
      await sleep(600);
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await sleep(600);
      await page.locator('[aria-pressed="false"]').first().click();
      await sleep(400);
      await page.locator('[role="columnheader"] button').first().click();
    },
  },
  job: {
    path: ({ jobs }) => `/jobs/${jobs.folded}`,
    ready: ".react-flow__node",
    use: async (page) => {
      const choose = async (name) => {
        await page.locator(`label:has-text("${name}")`).first().click();
        await sleep(400);
      };
      await choose("Waterfall");
      await choose("List");
      await page.locator("section button").nth(3).click();
      await choose("Graph");
      await page.locator('[role="log"]').click();
      for (const key of ["l", "?", "Escape"]) await press(page, key);
    },
  },
};

async function press(page, key) {
  await page.keyboard.press(key);
  await sleep(120);
}

/** From an empty cache: first paint, largest paint; then what somebody does, and how soon the page shows it. */
export function loadAndUse(world, name) {
  const { path, ready, use } = PAGES[name];
  return {
    name,
    prepare: async () => {
      const opened = await openPage(world.browser, world.site);
      await opened.page.addInitScript(watchPage);
      const measure = async () => {
        const { page } = opened;
        // Counted from the first time that it is asked for.
        await readMainThread(opened.debug);
        await page.goto(path(world));
        await page.locator(ready).first().waitFor({ timeout: PATIENCE_MS });
        await sleep(world.quietMs);
        const { paint, lcp } = await page.evaluate(readPaints);
        const busy = await readMainThread(opened.debug);
        await use(page);
        await sleep(world.quietMs / 3);
        const interactions = await page.evaluate(readInteractions);
        return {
          "first-paint-ms": paint,
          "lcp-ms": lcp,
          "inp-p75-ms": quantile(interactions, 0.75),
          "main-thread-ms": busy,
        };
      };
      return { measure, dispose: opened.close };
    },
  };
}

/** From inside the app, whose code is there already, to something large. */
export function openLarge(world, { name, warm, to, selector, text, prepare = async () => {} }) {
  return {
    name,
    prepare: async () => {
      const opened = await openPage(world.browser, world.site);
      await prepare(opened.page);
      // Something else of the same kind first: the code of the page is there, what it shows is not.
      await opened.page.goto(warm);
      await opened.page.locator("main h1").waitFor({ timeout: PATIENCE_MS });
      await sleep(world.quietMs);
      await opened.page.evaluate(goAndSettle, { to: "/doctor", selector: "main h1", patienceMs: PATIENCE_MS });
      await sleep(world.quietMs);
      const measure = async () => {
        const before = await readMainThread(opened.debug);
        const { settled } = await opened.page.evaluate(goAndSettle, { to, selector, text, patienceMs: PATIENCE_MS });
        return { "interactive-ms": settled, "main-thread-ms": (await readMainThread(opened.debug)) - before };
      };
      return { measure, dispose: opened.close };
    },
  };
}

/** Frames of a page without anything: what of the other figures is the machine. */
export function idleFrames(world) {
  return {
    name: "idle",
    prepare: async () => {
      const { page, close } = await openPage(world.browser, world.site);
      await page.goto("/icon.svg");
      const measure = async () => {
        await page.evaluate(watchFrames);
        await sleep(world.idleMs);
        return describeFrames(await page.evaluate(readFrames));
      };
      return { measure, dispose: close };
    },
  };
}

const describeFrames = ({ times, long }) => ({
  "frame-median-ms": quantile(times, 0.5),
  "frame-p95-ms": quantile(times, 0.95),
  "frame-longest-ms": Math.max(...times),
  "frames-over-50ms": times.filter((time) => time > 50).length,
  "long-tasks": long.length,
});

const SCROLL_PX = 30_000;
/** No more of them than a small fleet has rows for. */
const SCROLL_PX_PER_CLUSTER = 3;

/** All rows are loaded; then they are scrolled through while the fleet changes everywhere. */
export function scrollFleet(world, { perSecond, clusters }) {
  return {
    name: "scroll",
    prepare: async () => {
      const { page, debug, throttle, close } = await openPage(world.browser, world.site, { throttled: false });
      await page.goto("/clusters");
      await page.locator(PAGES.fleet.ready).waitFor();
      await loadAllRows(page, clusters);
      await throttle(true);
      const measure = async () => {
        await world.change(perSecond);
        await sleep(world.quietMs);
        const before = await world.change(perSecond);
        await page.evaluate(watchFrames);
        const begin = performance.now();
        const distance = Math.min(SCROLL_PX, SCROLL_PX_PER_CLUSTER * clusters);
        for (const yDistance of [distance, distance, -distance]) {
          await debug.send("Input.synthesizeScrollGesture", { x: 700, y: 500, yDistance, speed: 8_000 });
        }
        const seconds = (performance.now() - begin) / 1_000;
        const { told } = await world.change(0);
        const frames = await page.evaluate(readFrames);
        return { "events/s": (told - before.told) / seconds, ...describeFrames(frames) };
      };
      return { measure, dispose: close };
    },
  };
}

async function loadAllRows(page, clusters) {
  const row = page.locator(`[aria-rowindex="${clusters - 5}"]`);
  const body = page.locator('[role="grid"]').locator("..");
  const end = performance.now() + 5 * PATIENCE_MS;
  while ((await row.count()) === 0) {
    if (performance.now() > end) throw new Error("The rows of the fleet could not all be loaded.");
    await body.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await sleep(20);
  }
  await body.evaluate((box) => box.scrollTo({ top: box.scrollHeight / 2 }));
}

/** A long day: events without an end, one page after the other. What is left when nobody needs it is counted. */
export function liveLong(world, { changes, pages }) {
  return {
    name: "long day",
    prepare: async () => {
      const { page, debug, close } = await openPage(world.browser, world.site, { throttled: false });
      await page.goto("/overview");
      await page.locator("main h1").waitFor();
      const addresses = [
        "/clusters",
        `/jobs/${world.jobs.long}`,
        "/overview",
        "/clusters/cluster-000010/overview",
        "/clusters/cluster-000010/history",
        `/jobs/${world.jobs.folded}`,
        "/jobs",
        "/audit",
      ];
      const walk = async (count) => {
        for (let number = 0; number < count; number += 1) {
          const to = addresses[number % addresses.length];
          await page.evaluate(goAndSettle, { to, selector: "main h1", patienceMs: PATIENCE_MS });
          await sleep(300);
        }
      };
      const measure = async () => {
        const { told: before } = await world.change(Math.ceil(changes / (pages * 0.4)));
        await walk(Math.floor(pages / 2));
        const half = await readHeap(debug);
        await walk(Math.ceil(pages / 2));
        const { told } = await world.change(0);
        const heap = await readHeap(debug);
        return { events: told - before, "heap-MB": heap, "heap-half-way-MB": half };
      };
      return { measure, dispose: close };
    },
  };
}

/** The processor time of the page, the throttling included: what is left of a figure when nobody else uses the machine. */
async function readMainThread(debug) {
  await debug.send("Performance.enable", { timeDomain: "threadTicks" });
  const { metrics } = await debug.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1_000;
}

async function readHeap(debug) {
  await debug.send("HeapProfiler.enable");
  await debug.send("HeapProfiler.collectGarbage");
  const { usedSize } = await debug.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}
