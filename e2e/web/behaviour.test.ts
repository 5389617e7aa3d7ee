import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { describeCluster, LASTING_MS } from "../support/place.ts";
import { type Fleet, openBusyFleet } from "./support/fleets.ts";

let fleet: Fleet;
beforeAll(async () => {
  fleet = await openBusyFleet();
});
afterAll(() => fleet.site.close());

const PATIENT = { timeout: 60_000 };

async function declare(name: string, options: { workers?: number; ms?: number } = {}): Promise<void> {
  fleet.site.place.write(`${name}.yaml`, describeCluster(name, options));
  await fleet.site.place.must("apply", "-f", `${name}.yaml`);
}

describe("the palette", () => {
  it("goes to what was typed, also when Enter comes before the answer", async () => {
    for (const name of ["alpha", "beta", "beta-2", "a-beta"]) await declare(name);
    const page = await fleet.site.user("ada");
    await page.goto("/overview");
    await page.locator("h1").first().waitFor(PATIENT);
    // Every answer takes a while, as it does over a long way.
    await page.route("**/api/v1/clusters?**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    for (const name of ["beta", "alpha"]) {
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("dialog").getByRole("combobox").waitFor(PATIENT);
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/clusters\//, PATIENT);
      expect(new URL(page.url()).pathname).toBe(`/clusters/${name}/overview`);
      await page.goto("/overview");
      await page.locator("h1").first().waitFor(PATIENT);
    }
    await page.context().close();
  });
});

describe("without a connection", () => {
  it("a job cannot be cancelled, a cluster cannot be changed, and each says why", async () => {
    await declare("lasting", { workers: 40, ms: LASTING_MS });
    const { items } = await fleet.site.place.json<{ items: { id: string }[] }>("jobs", "lasting");
    const page = await fleet.site.user("ada");
    const reason = "Changes have to wait until the server answers. Nothing is sent later behind your back.";
    const expectHeldBack = async (button: ReturnType<Page["getByRole"]>) => {
      await expect.poll(() => button.isDisabled(), PATIENT).toBe(true);
      expect(await button.getAttribute("title")).toBe(reason);
    };
    await page.goto(`/jobs/${items[0]?.id}`);
    const cancel = page.getByRole("button", { name: "Cancel", exact: true });
    await cancel.waitFor(PATIENT);
    expect(await cancel.isDisabled()).toBe(false);
    await page.context().setOffline(true);
    await page.getByText("You are offline. What was read stays; nothing can be changed.").waitFor(PATIENT);
    await expectHeldBack(cancel);
    await page.context().setOffline(false);
    await expect.poll(() => cancel.isDisabled(), PATIENT).toBe(false);

    await page.goto("/clusters/good/overview");
    await page.getByRole("button", { name: "More actions" }).click();
    const remove = page.getByRole("menuitem", { name: "Delete" });
    await remove.waitFor(PATIENT);
    await page.context().setOffline(true);
    await expectHeldBack(remove);
    await page.context().close();
  });
});

describe("the filter of the fleet", () => {
  it("finds clusters by a word that is also a phase: those of the phase, and those of the name", async () => {
    await declare("long-running", { workers: 40, ms: LASTING_MS });
    const page = await fleet.site.user("ada");
    await page.goto("/clusters");
    await page.getByRole("link", { name: "bad", exact: true }).waitFor(PATIENT);
    await page.getByRole("textbox", { name: "Filter clusters" }).fill("running");
    await page.getByRole("link", { name: "bad", exact: true }).waitFor({ state: "detached", ...PATIENT });
    for (const name of ["good", "long-running"]) {
      await page.getByRole("link", { name, exact: true }).waitFor(PATIENT);
    }
    await page.getByRole("textbox", { name: "Filter clusters" }).fill("running long");
    await page.getByRole("link", { name: "good", exact: true }).waitFor({ state: "detached", ...PATIENT });
    const links = page.getByRole("grid").getByRole("link");
    await expect.poll(() => links.allTextContents(), PATIENT).toEqual(["long-running"]);
    await page.context().close();
  });
});

describe("copy as YAML", () => {
  const PLACES: readonly (readonly [path: string, button: string, holds: string])[] = [
    ["/clusters?q=good", "Copy as …", "name: good"],
    ["/clusters/good/overview", "Copy as …", "name: good"],
    ["/jobs", "Copy as …", "cluster: good"],
    ["/jobs/:job", "Copy as …", "cluster: bad"],
    ["/batches", "Copy as …", "operation: label"],
    ["/batches/:batch", "Copy as …", "operation: label"],
    ["/templates", "Copy as …", "name: small"],
    ["/templates", "Copy small as …", "name: small"],
    ["/consistency", "Copy as …", ""],
    ["/doctor", "Copy as …", "findings:"],
    ["/audit", "Copy as …", "action:"],
    ["/settings/tokens", "Copy as …", "name: pipeline"],
    ["/settings/users", "Copy as …", "name: ada"],
    ["/settings/workers", "Copy as …", "providers:"],
  ];

  it.each(PLACES)("%s, by %s", async (path, button, holds) => {
    const page = await fleet.site.user("ada");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(path.replace(/:(job|batch)/, (key) => fleet.ids[key as keyof Fleet["ids"]]));
    await page.locator("h1").first().waitFor(PATIENT);
    await page.locator("[data-loading=true]").first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("menuitem", { name: "Document (YAML)" }).click();
    await page.getByText("Copied.").waitFor(PATIENT);
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain(holds);
    expect(parseAllDocuments(copied).flatMap(({ errors }) => errors)).toEqual([]);
    await page.context().close();
  });
});

it("a theme and a language that are chosen in one tab are those of the others", async () => {
  const page = await fleet.site.user("vic");
  const other = await page.context().newPage();
  await Promise.all([page, other].map((one) => one.goto("/overview")));
  await page.getByRole("button", { name: "Language, theme, time" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.getByRole("menuitemradio", { name: "简体中文" }).click();
  await expect.poll(() => other.locator("html").getAttribute("lang"), PATIENT).toBe("zh-CN");
  await expect.poll(() => other.locator("html").getAttribute("data-mantine-color-scheme"), PATIENT).toBe("dark");
  await page.context().close();
});

it("a theme and a language that another tab chooses while a page starts are those of the page", async () => {
  const page = await fleet.site.user("vic");
  // The choice of another tab comes right after the page has read the one before, and before it listens for changes.
  // The first read is that of early.js, the second that of the app.
  await page.addInitScript(`
    const reads = new Map([["drover.language", { left: 2, next: "zh-CN" }], ["drover.theme", { left: 2, next: "dark" }]]);
    const read = Storage.prototype.getItem;
    Storage.prototype.getItem = function (key) {
      const value = read.call(this, key);
      const change = reads.get(key);
      if (change !== undefined && --change.left === 0) this.setItem(key, change.next);
      return value;
    };`);
  await page.goto("/overview");
  const html = page.locator("html");
  await expect.poll(() => html.getAttribute("lang"), PATIENT).toBe("zh-CN");
  await expect.poll(() => html.getAttribute("data-mantine-color-scheme"), PATIENT).toBe("dark");
  await page.context().close();
});
