import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCluster } from "../support/place.ts";
import { findViolations } from "./support/axe.ts";
import { keepScreenshot, type Look, Site } from "./support/site.ts";

/** Addresses by a name for their screenshot; `:job` stands for a job that failed. */
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

const LOOKS: readonly Look[] = (["light", "dark", "contrast"] as const).flatMap((theme) =>
  (["en-US", "zh-CN"] as const).map((language) => ({ theme, language })),
);
const NARROW: Look = { width: 390, height: 844 };

const BAD = describeCluster("bad").replace(
  "latency:",
  'faults: [{ operation: create, effect: fail, message: "bind: address already in use" }]\n    latency:',
);

let site: Site;
let failedJob = "";

beforeAll(async () => {
  site = await Site.open();
  await site.makeUser("ada", "admin");
  site.place.write("good.yaml", describeCluster("good"));
  site.place.write("changed.yaml", describeCluster("good", { workers: 3 }));
  site.place.write("bad.yaml", BAD);
  await site.place.must("apply", "-f", "good.yaml", "--wait");
  await site.place.must("apply", "-f", "changed.yaml", "--wait", "--reason", "more room");
  await site.place.must("apply", "-f", "bad.yaml");
  failedJob = await findFailedJob();
});
afterAll(() => site.close());

async function findFailedJob(): Promise<string> {
  const list = async () => {
    const { items } = JSON.parse(await site.place.must("jobs", "bad", "-o", "json")) as {
      items: { id: string; error: unknown }[];
    };
    return items[0];
  };
  let job = await list();
  const until = Date.now() + 60_000;
  while (job?.error == null && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    job = await list();
  }
  return job?.id ?? "";
}

/** Opens an address and waits until everything that was to be read is there. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path.replace(":job", failedJob));
  await page.locator("h1, [role=alert]").first().waitFor();
  await page.locator("[data-loading=true]").first().waitFor({ state: "detached" });
  await page.waitForTimeout(250);
}

describe.each(LOOKS)("in $theme and $language", (look) => {
  it("every page is there, accessible, and loads nothing from elsewhere", async () => {
    const page = await site.user("ada", look);
    const found: string[] = [];
    for (const [name, path] of Object.entries(ROUTES)) {
      await site.undisturbed(async () => {
        await visit(page, path);
        await keepScreenshot(page, `${name}.${look.theme}.${look.language}`);
      });
      found.push(...(await findViolations(page)).map((violation) => `${name}: ${violation}`));
    }
    expect(found).toEqual([]);
    await page.context().close();
  });
});

it("every page fits a narrow screen", async () => {
  const page = await site.user("ada", NARROW);
  const wide: string[] = [];
  for (const [name, path] of Object.entries(ROUTES)) {
    await site.undisturbed(async () => {
      await visit(page, path);
      await keepScreenshot(page, `${name}.narrow`);
    });
    const width = await page.evaluate("document.documentElement.scrollWidth");
    if (Number(width) > 390) wide.push(`${name}: ${width}`);
  }
  expect(wide).toEqual([]);
  await page.context().close();
});

it("nothing went wrong on any of them, and the policy of the server held", () => {
  expect([...new Set(site.offences)]).toEqual([]);
  process.stdout.write(`${Object.keys(ROUTES).length * LOOKS.length} combinations of page, theme and language\n`);
});
