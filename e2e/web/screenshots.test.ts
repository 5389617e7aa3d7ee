import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../support/place.ts";
import { CREATING_NAME, FAILED_NAME, fillUpTo, makeForty } from "./support/fleet.ts";
import { makeManyMachines, makeSomeMachines } from "./support/machines.ts";
import {
  BUSY_SCENES,
  type Cast,
  EMPTY_SCENES,
  FORTY_SCENES,
  LARGE_SCENES,
  MESSAGES,
  type Scene,
} from "./support/scenes.ts";
import { keepScreenshot, Site } from "./support/site.ts";
import { waitUntilDrawn } from "./support/wait-until-drawn.ts";

/** Only scenes whose name holds this word: for whoever works on one page. */
const ONLY = process.env.DROVER_E2E_SCENES ?? "";

const WIDTHS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const LOOKS = (["light", "dark"] as const).flatMap((theme) =>
  (["en-US", "zh-CN"] as const).flatMap((language) =>
    (["wide", "narrow"] as const).map((size) => ({ theme, language, size })),
  ),
);

let site: Site;
let cast: Cast = { failedJob: "", runningJob: "", batch: "" };

beforeAll(async () => {
  process.env.FONTCONFIG_FILE = fileURLToPath(new URL("support/fonts.conf", import.meta.url));
  // A job that fails is tried once more, soon, and then given up.
  site = await Site.open(() =>
    Place.make({ DROVER_JOB_ATTEMPTS: "2", DROVER_RETRY_CAP: "1s", DROVER_RESYNC_INTERVAL: "5s" }),
  );
  await site.makeUser("ada", "admin");
});
afterAll(() => site.close());

/** Shoots scenes in every theme, language and width; each only when it shows what it should and fits its screen. */
function shoot(scenes: readonly Scene[]): void {
  describe.each(LOOKS)("in $theme, $language, $size", ({ theme, language, size }) => {
    it("shows what it should", async () => {
      const look = { theme, language, ...WIDTHS[size] };
      const m = MESSAGES[language];
      const failures: string[] = [];
      const [user, visitor] = [await site.user("ada", look), await site.visitor(look)];
      for (const { name, path, shows, act, isForVisitors = false } of scenes) {
        if (!name.includes(ONLY)) continue;
        const page = isForVisitors ? visitor : user;
        const take = async () => {
          await page.goto(path(cast));
          await page.locator("h1, [role=alert]").first().waitFor();
          await act?.(page, m);
          await page.locator("[data-loading=true]").first().waitFor({ state: "detached" });
          for (const text of shows(m))
            await page
              .getByText(text)
              .or(page.getByRole("textbox").filter({ hasText: text }))
              .first()
              .waitFor({ state: "attached", timeout: 10_000 });
          await waitUntilDrawn(page);
          await keepScreenshot(page, [name, theme, language, size].join("."));
        };
        await site.undisturbed(take).catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
        const width = await readWidth(page);
        if (width > look.width) failures.push(`${name} is ${width} px wide on a screen of ${look.width}`);
        if (!(await showsItsTab(page, look.width))) failures.push(`${name} does not show which part it is`);
      }
      expect(failures).toEqual([]);
      await Promise.all([user, visitor].map((page) => page.context().close()));
    });
  });
}

/** Pages in parts have one part that is shown, and its name must be seen without scrolling for it. */
async function showsItsTab(page: Page, width: number): Promise<boolean> {
  const [tab] = await page.locator('main nav [aria-current="page"]').all();
  const box = await tab?.boundingBox();
  return box == null || (box.x >= 0 && box.x + box.width <= width);
}

async function readWidth(page: Page): Promise<number> {
  return Number(await page.evaluate("document.documentElement.scrollWidth"));
}

describe("before the first cluster", () => shoot(EMPTY_SCENES));

describe("with forty clusters", () => {
  beforeAll(async () => {
    await makeForty(site.place);
    await makeSomeMachines(site.place);
    await furnish();
    cast = {
      failedJob: await newestJob(FAILED_NAME),
      runningJob: await newestJob(CREATING_NAME),
      batch: await startBatch(),
    };
  });
  shoot(BUSY_SCENES);
  shoot(FORTY_SCENES);
});

describe("with ten thousand clusters", () => {
  beforeAll(async () => {
    fillUpTo(site.place, 10_000);
    await makeManyMachines(site.place, 10_000);
  });
  shoot(LARGE_SCENES);
});

it("nothing went wrong on any page", () => {
  expect([...new Set(site.offences)]).toEqual([]);
});

async function newestJob(cluster: string): Promise<string> {
  const { items } = await site.place.json<{ items: { id: string }[] }>("jobs", cluster);
  return items[0]?.id ?? "";
}

async function startBatch(): Promise<string> {
  const { place } = site;
  const what = ["label", "-l", "env=preview", "--label", "ring=early", "--wave", "2"];
  await place.must("batch", "start", ...what, "--reason", "who gets new versions first");
  const { items } = await place.json<{ items: { id: string }[] }>("get", "batches");
  return items[0]?.id ?? "";
}

const parameter = (name: string) => `\${${name}}`;

/** People, tokens and templates, so that their pages have something to show. */
async function furnish(): Promise<void> {
  await site.makeUser("grace", "operator");
  await site.makeUser("lin", "viewer");
  await site.place.must("token", "create", "ci pipeline", "--role", "operator");
  await site.place.must("token", "create", "grafana", "--role", "viewer");
  const page = await site.user("ada");
  const answer = await page.context().request.post("/api/v1/templates", {
    headers: { "idempotency-key": "template" },
    data: {
      name: "team-cluster",
      description: "What a team gets on its first day",
      parameters: [
        { name: "team", type: "text", description: "Whose it is" },
        { name: "workers", type: "number", default: 3 },
      ],
      document: {
        ...{ apiVersion: "drover.dev/v1alpha1", kind: "Cluster" },
        metadata: { labels: { env: "dev", team: parameter("team") } },
        spec: { provider: "simulated", simulated: { workers: parameter("workers") } },
      },
    },
  });
  expect(answer.status()).toBe(201);
  await page.context().close();
}
