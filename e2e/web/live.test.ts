import { afterAll, beforeAll, expect, it } from "vitest";
import { WITH_EVERYTHING } from "../support/form.ts";
import { describeCluster } from "../support/place.ts";
import { keepScreenshot, Site } from "./support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await Site.open();
  await site.makeUser("ada", "operator");
});
afterAll(() => site.close());

const PATIENT = { timeout: 90_000 };

/** How long the server is gone: as long as the page takes to notice, and longer where everything is asked for. */
const AWAY_MS = WITH_EVERYTHING ? 20_000 : 0;

/** The address of the newest job of a cluster. */
async function newestJob(cluster: string): Promise<string> {
  const { items } = JSON.parse(await site.place.must("jobs", cluster, "-o", "json")) as {
    items: { id: string }[];
  };
  return `/jobs/${items[0]?.id}`;
}

it("a log goes on where it was when the server was gone for a while, and no line is missing", async () => {
  site.place.write("slow.yaml", describeCluster("slow", { workers: 40, ms: WITH_EVERYTHING ? 1_500 : 1_000 }));
  await site.place.must("apply", "-f", "slow.yaml");
  const page = await site.user("ada");
  await page.goto(await newestJob("slow"));
  await page.getByRole("log").getByText("1", { exact: true }).first().waitFor(PATIENT);

  const port = new URL(site.url).port;
  await site.place.must("down");
  const gone = Date.now();
  await page.getByText("Connection lost").waitFor(PATIENT);
  expect(await page.getByRole("log").getByText("1", { exact: true }).count()).toBeGreaterThan(0);
  await keepScreenshot(page, "job-connection-lost");
  await page.waitForTimeout(Math.max(0, AWAY_MS - (Date.now() - gone)));
  await site.start(port);
  await page.getByText(/resumed at line \d+, 0 lost/).waitFor(PATIENT);
  await page.getByText("Complete", { exact: true }).waitFor(PATIENT);
  await keepScreenshot(page, "job-resumed");

  const shown = Number(/(\d+) lines/.exec((await page.getByText(/^\d+ lines$/).textContent()) ?? "")?.[1]);
  const stored = (await site.place.must("logs", "slow")).trimEnd().split("\n").length;
  expect(shown).toBe(stored);
  await page.context().close();
});

it("two browsers watch a job, one cancels it, and both see it", async () => {
  site.place.write("two.yaml", describeCluster("two", { workers: 30, ms: 4000 }));
  await site.place.must("apply", "-f", "two.yaml");
  const address = await newestJob("two");
  const [one, other] = await Promise.all([site.user("ada"), site.user("ada")]);
  await Promise.all([one.goto(address), other.goto(address)]);
  await one.getByRole("button", { name: "Cancel", exact: true }).click();
  await one.getByRole("dialog").getByRole("button", { name: "Cancel the job" }).click();
  await Promise.all(
    [one, other].map((page) =>
      page
        .getByText(/^(Canceling|Canceled)$/)
        .first()
        .waitFor(PATIENT),
    ),
  );
  await Promise.all([one, other].map((page) => page.getByText("Canceled").first().waitFor(PATIENT)));
  const stateOf = async () => (await site.place.json<{ items: { state: string }[] }>("jobs", "two")).items[0]?.state;
  await expect.poll(stateOf, PATIENT).toBe("Canceled");
  await Promise.all([one, other].map((page) => page.getByText("Canceled", { exact: true }).first().waitFor(PATIENT)));
  await Promise.all([one, other].map((page) => page.context().close()));
});

it("a row of the fleet changes in place", async () => {
  const page = await site.user("ada");
  await page.goto("/clusters");
  const row = page.getByRole("row").filter({ hasText: "third" });
  site.place.write("third.yaml", describeCluster("third"));
  await site.place.must("apply", "-f", "third.yaml");
  await row.getByText("Running").waitFor(PATIENT);
  expect(await row.count()).toBe(1);
  await page.context().close();
});

it("a list goes on with its next page where the one before ends", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `many-${String(index).padStart(3, "0")}`);
  site.place.write("many.yaml", names.map((name) => describeCluster(name, { workers: 0 })).join("---\n"));
  await site.place.must("apply", "-f", "many.yaml");
  const page = await site.user("ada");
  await page.goto("/clusters?q=many");
  await page.getByRole("row").nth(3).focus();
  await page.keyboard.press("End");
  await page.getByText("120 of 120").waitFor(PATIENT);
  await page.keyboard.press("End");
  await page.getByRole("link", { name: "many-119" }).waitFor(PATIENT);
  expect(await page.getByRole("row").count()).toBeLessThan(80);
  await page.context().close();
});
