import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allDressesAt, type Dress, DressedPage } from "./support/dressed-page.ts";
import { type Fleet, openBusyFleet } from "./support/fleets.ts";
import { inLanes } from "./support/lanes.ts";
import { NO_PAGES } from "./support/matrix.ts";
import { listRoutes } from "./support/routes.ts";
import { keepScreenshot } from "./support/site.ts";
import { waitUntilDrawn } from "./support/wait-until-drawn.ts";

/** Addresses by a name for their screenshot; `:job` stands for a job that failed, `:batch` for a batch. */
const ROUTES: Readonly<Record<string, string>> = {
  overview: "/overview",
  clusters: "/clusters",
  "clusters-nothing": "/clusters?q=no-such-cluster",
  heatmap: "/clusters?view=heatmap",
  new: "/clusters/new",
  edit: "/clusters/good/edit",
  cluster: "/clusters/good/overview",
  "cluster-failed": "/clusters/bad/overview",
  "cluster-missing": "/clusters/no-such/overview",
  "cluster-document": "/clusters/good/spec",
  "cluster-diff": "/clusters/good/diff",
  "cluster-nodes": "/clusters/good/nodes",
  "cluster-jobs": "/clusters/good/jobs",
  "cluster-history": "/clusters/good/history",
  "cluster-events": "/clusters/good/events",
  "cluster-access": "/clusters/good/access",
  jobs: "/jobs",
  "job-failed": "/jobs/:job",
  "job-waterfall": "/jobs/:job?view=waterfall",
  "job-list": "/jobs/:job?view=list",
  machines: "/machines",
  batches: "/batches",
  batch: "/batches/:batch",
  templates: "/templates",
  import: "/import",
  consistency: "/consistency",
  doctor: "/doctor",
  audit: "/audit",
  "settings-profile": "/settings/profile",
  "settings-tokens": "/settings/tokens",
  "settings-users": "/settings/users",
  "settings-roles": "/settings/roles",
  "settings-workers": "/settings/workers",
  "settings-options": "/settings/options",
  "not-found": "/no/such/page",
};

const LANES = 2;
const NARROW = { width: 390, height: 844 };

let fleet: Fleet;
beforeAll(async () => {
  fleet = await openBusyFleet();
});
afterAll(() => fleet.site.close());

const addressOf = (path: string): string => path.replace(/:(job|batch)/, (key) => fleet.ids[key as keyof Fleet["ids"]]);

/** Waits until everything that was to be read is there. */
async function waitUntilRead(page: Page): Promise<void> {
  await page.locator("h1, [role=alert]").first().waitFor();
  await page.locator("[data-loading=true]").first().waitFor({ state: "detached" });
  await waitUntilDrawn(page);
}

const screenshotOf = (name: string, { theme, language }: Dress): string =>
  `${name}.${theme}.${language === "en" ? "en-US" : language}`;

const dressesOf = (name: string) => allDressesAt(Object.keys(ROUTES).indexOf(name));

it("every page is there, accessible, and loads nothing from elsewhere", async () => {
  const found: string[] = [];
  await inLanes(Object.entries(ROUTES), LANES, async () => {
    const dressed = await DressedPage.open(fleet.site, "ada");
    const look = async ([name, path]: readonly [string, string]) => {
      await dressed.goto(addressOf(path));
      const violations = await dressed.findViolations(dressesOf(name), async (_, dress) => {
        await waitUntilRead(dressed.page);
        await keepScreenshot(dressed.page, screenshotOf(name, dress));
      });
      found.push(...violations.map((violation) => `${name}: ${violation}`));
    };
    return {
      take: async (route) => await fleet.site.undisturbed(async () => await look(route)),
      close: async () => await dressed.close(),
    };
  });
  expect(found).toEqual([]);
});

it("every page fits a narrow screen", async () => {
  const page = await fleet.site.user("ada", NARROW);
  const wide: string[] = [];
  for (const [name, path] of Object.entries(ROUTES)) {
    await fleet.site.undisturbed(async () => {
      await page.goto(addressOf(path));
      await waitUntilRead(page);
      await keepScreenshot(page, `${name}.narrow`);
    });
    const width = await page.evaluate("document.documentElement.scrollWidth");
    if (Number(width) > 390) wide.push(`${name}: ${width}`);
  }
  expect(wide).toEqual([]);
  await page.context().close();
});

it("no page is missing here", async () => {
  const shown = Object.values(ROUTES).map((path) => path.replace(/[?].*/, ""));
  const patternOf = (route: string) => new RegExp(`^${route.replaceAll(/[$][a-z]+/g, "[^/]+")}$`);
  const routes = (await listRoutes()).filter((route) => !NO_PAGES.includes(route));
  expect(routes.filter((route) => !shown.some((path) => patternOf(route).test(path)))).toEqual([]);
});

it("nothing went wrong on any of them, and the policy of the server held", () => {
  expect([...new Set(fleet.site.offences)]).toEqual([]);
  const count = Object.keys(ROUTES).flatMap(dressesOf).length;
  process.stdout.write(`${count} combinations of page, theme and language\n`);
});
