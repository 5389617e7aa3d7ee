import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { describeCluster } from "../support/place.ts";
import { fillSignIn, typeDocument } from "./support/acts.ts";
import { keepScreenshot, Site } from "./support/site.ts";
import { appendLines } from "./support/store-file.ts";
import { waitUntilDrawn } from "./support/wait-until-drawn.ts";

let site: Site;
beforeAll(async () => {
  site = await Site.open();
  await site.makeUser("ada", "admin");
});
afterAll(() => site.close());
afterEach(() => {
  // A script that ran, or one that the policy of the server had to stop, would be here.
  expect(site.offences.splice(0)).toEqual([]);
});

const PATIENT = { timeout: 60_000 };
const SCRIPT = "<script>globalThis.hit=1</script>";
const IMAGE = '<img src="x" onerror="globalThis.hit=1">';
/** Emoji made of several, Arabic, Hebrew, and a sign that turns what follows it around. */
const FOREIGN = "🚜👩‍👩‍👧 مرحبا בדיקה \u202Etxt.exe";

const nameField = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const createButton = (page: Page) => page.getByRole("button", { name: "Create", exact: true }).last();
const wasHit = (page: Page) => page.evaluate("globalThis.hit");
const errorOf = async (page: Page, label: string): Promise<string> => {
  const field = page.getByRole("textbox", { name: label, exact: true }).or(page.getByRole("combobox", { name: label }));
  await expect.poll(() => field.getAttribute("aria-invalid"), PATIENT).toBe("true");
  const id = (await field.getAttribute("aria-describedby"))?.split(" ").find((one) => one.endsWith("-error"));
  return (await page.locator(`[id="${id}"]`).textContent()) ?? "";
};

async function declare(name: string, options: { workers?: number } = {}): Promise<void> {
  site.place.write(`${name}.yaml`, describeCluster(name, options));
  await site.place.must("apply", "-f", `${name}.yaml`, "--wait");
}

describe("texts that want to be something else", () => {
  it("refuses a name with a script at its field and at its line, and never runs it", async () => {
    const page = await site.user("ada");
    await page.goto("/clusters/new");
    await nameField(page).fill(SCRIPT);
    expect(await errorOf(page, "Name")).toMatch(/lower-case|lower case|letters/);
    await page.getByText(/problem, first in line 4/).waitFor(PATIENT);
    expect(await createButton(page).isDisabled()).toBe(true);
    await keepScreenshot(page, "hostile-name");
    for (const path of [
      `/clusters/${encodeURIComponent(SCRIPT)}/overview`,
      `/clusters?q=${encodeURIComponent(IMAGE)}`,
      `/jobs/${encodeURIComponent(IMAGE)}`,
    ]) {
      await page.goto(path);
      await page.locator("h1, h2, [role=alert]").first().waitFor(PATIENT);
      await page.locator("[data-loading=true]").first().waitFor({ state: "detached" });
    }
    expect(await wasHit(page)).toBeUndefined();
    await page.context().close();
  });

  it("says which label is too long or not allowed, at the field and at the line", async () => {
    const page = await site.user("ada");
    await page.goto("/clusters/new");
    const labels = page.getByRole("combobox", { name: "Labels" });
    for (const [text, told] of [
      [`team=${"x".repeat(200)}`, /63/],
      ["mood=🚜", /letters|digits/],
      ["شغل=yes", /not a label key/],
    ] as const) {
      await labels.fill(text);
      await page.keyboard.press("Enter");
      expect(await errorOf(page, "Labels")).toMatch(told);
      await page.getByText(/problem, first in line/).waitFor(PATIENT);
      expect(await createButton(page).isDisabled()).toBe(true);
      await page.keyboard.press("Backspace");
      await page.getByText(/problem, first in line/).waitFor({ state: "detached", ...PATIENT });
    }
    await page.context().close();
  });

  it("says everything that is wrong at once, also when the name is", async () => {
    const page = await site.user("ada");
    await page.goto("/clusters/new");
    await nameField(page).fill("Dev_Rosa");
    await page.getByRole("combobox", { name: "Labels" }).fill("mood=🚜");
    await page.keyboard.press("Enter");
    await page.getByText(/2 problems, first in line 4/).waitFor(PATIENT);
    expect(await errorOf(page, "Name")).toMatch(/letters/);
    expect(await errorOf(page, "Labels")).toMatch(/letters|digits/);
    await page.context().close();
  });

  it("shows labels of 200 characters without giving up its width", async () => {
    const domain = `${"a".repeat(60)}.${"b".repeat(60)}.example.com`;
    const document = describeCluster("wordy").replace("env: dev", `${domain}/${"k".repeat(60)}: ${"v".repeat(63)}`);
    site.place.write("wordy.yaml", document);
    await site.place.must("apply", "-f", "wordy.yaml", "--wait");
    for (const width of [1440, 390]) {
      const page = await site.user("ada", { width, height: 844 });
      for (const path of ["/clusters?q=wordy", "/clusters/wordy/overview", "/clusters/wordy/edit"]) {
        await page.goto(path);
        await page.getByText("wordy").first().waitFor(PATIENT);
        await waitUntilDrawn(page);
        expect(await page.evaluate("document.documentElement.scrollWidth"), `${path} at ${width}`).toBe(width);
      }
      await keepScreenshot(page, `hostile-labels-${width}`);
      await page.context().close();
    }
  });

  it("keeps emoji, right-to-left text and markup as they were typed: reasons, views, descriptions", async () => {
    await declare("foreign");
    const page = await site.user("ada");
    await page.goto("/clusters/foreign/edit");
    await page.getByRole("textbox", { name: "Workers" }).fill("3");
    const reason = `${FOREIGN} ${IMAGE}`;
    await page.getByLabel("Reason (optional)").fill(reason);
    await page.getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByText("Succeeded").first().waitFor(PATIENT);
    await page.goto("/clusters/foreign/history");
    await page.getByText(reason, { exact: true }).waitFor(PATIENT);
    await keepScreenshot(page, "hostile-reason");

    await page.goto("/clusters?q=foreign");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save this view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(FOREIGN);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached", ...PATIENT });
    await page.goto("/clusters");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: FOREIGN, exact: true }).click();
    await page.waitForURL(/q=foreign/);

    await page.goto("/templates");
    await page.getByRole("button", { name: "New template" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("odd");
    const content = {
      description: reason,
      parameters: [],
      document: { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", spec: { provider: "kind" } },
    };
    await typeDocument(page, JSON.stringify(content));
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText(reason, { exact: true }).waitFor(PATIENT);
    expect(await wasHit(page)).toBeUndefined();
    await page.context().close();
  });

  it("obeys nothing that a log says, and stays quick with lines of a megabyte", async () => {
    await declare("noisy");
    const { items } = await site.place.json<{ items: { id: string }[] }>("jobs", "noisy");
    const id = items[0]?.id ?? "";
    const long = "x".repeat(1024 * 1024);
    appendLines(site.place, id, [
      "\u001b[31;1mred and bold\u001b[0m \u001b[2J\u001b[10;10H\u001b[?25lmoved",
      "\u001b]0;a title\u0007\u001b]8;;javascript:globalThis.hit=1\u001b\\link\u001b]8;;\u001b\\ bell\u0007 \u0008\u0000end",
      `${SCRIPT} ${IMAGE}`,
      FOREIGN,
      `${"\u001b[31m\u001b[0m".repeat(100_000)}after the colours`,
      `${long}the very end`,
    ]);
    const page = await site.user("ada");
    await page.goto(`/jobs/${id}`);
    const log = page.getByRole("log");
    await log.getByText("red and bold").waitFor(PATIENT);
    await log.getByText("link bell end").waitFor(PATIENT);
    await log.getByText(SCRIPT).waitFor(PATIENT);
    await log.getByText(FOREIGN).waitFor(PATIENT);
    const shown = (await log.textContent()) ?? "";
    for (const sign of ["\u001b", "\u0000", "\u0007", "\u0008"]) expect(shown).not.toContain(sign);
    expect(shown.length).toBeLessThan(100_000);
    expect(await log.getByRole("link", { name: "link" }).count()).toBe(0);
    await keepScreenshot(page, "hostile-log");
    await log.getByRole("button", { name: "… show all 1,048,588 characters" }).click();
    await page.getByRole("dialog").getByText("the very end").waitFor(PATIENT);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached", ...PATIENT });
    await log.getByRole("button", { name: /show all 900,017/ }).click();
    await page.getByRole("dialog").getByText("after the colours", { exact: true }).waitFor(PATIENT);
    expect(await wasHit(page)).toBeUndefined();
    await page.context().close();
  });
});

describe("work that something comes in between", () => {
  it("says at which line a document cannot be read, keeps the form as it was, and goes on when it is mended", async () => {
    const page = await site.user("ada");
    await page.goto("/clusters/new");
    const good = describeCluster("mended");
    await typeDocument(page, `# kept\n${good}`);
    await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
    await typeDocument(page, `# kept\n${good}  labels: [unclosed\n`);
    await page.getByText(/problems?, first in line 1[2-5]/).waitFor(PATIENT);
    await page
      .getByRole("list", { name: "Problems" })
      .getByText(/^Line 1[2-5]/)
      .first()
      .waitFor(PATIENT);
    expect(await createButton(page).isDisabled()).toBe(true);
    expect(await nameField(page).inputValue()).toBe("mended");
    expect(await nameField(page).isDisabled()).toBe(true);
    await keepScreenshot(page, "hostile-yaml");
    await typeDocument(page, `# kept\n${good}`);
    await nameField(page).fill("mended-2");
    await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
    expect(await page.getByRole("textbox", { name: "YAML" }).textContent()).toContain("# kept");
    expect(await createButton(page).isDisabled()).toBe(false);
    await page.context().close();
  });

  it("does not apply a plan that went stale while it was looked at, and shows the one that holds now", async () => {
    const page = await site.user("ada");
    await page.goto("/clusters/new");
    await typeDocument(page, describeCluster("contested", { workers: 5 }));
    await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
    await declare("contested", { workers: 1 });
    await createButton(page).click();
    await page
      .getByRole("alert")
      .getByText(/changed|stale|meanwhile/i)
      .first()
      .waitFor(PATIENT);
    await keepScreenshot(page, "hostile-stale-plan");
    const { spec } = await site.place.json<{ spec: { simulated: { workers: number } } }>("get", "cluster", "contested");
    expect(spec.simulated.workers).toBe(1);
    await page.getByRole("button", { name: "Plan again" }).click();
    await page.getByText("A cluster of this name exists already. This would change it.").waitFor(PATIENT);
    await page.getByText("spec.simulated.workers").waitFor(PATIENT);
    await page.context().close();
  });

  it("asks to sign in again when a session ends in the middle of a form, and nothing typed is lost", async () => {
    const [page, other] = [await site.user("ada"), await site.user("ada")];
    await page.goto("/clusters/new");
    await typeDocument(page, `# mine\n${describeCluster("patient")}`);
    await page.getByLabel("Reason (optional)").fill("because");
    await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
    await other.goto("/settings/profile");
    const ends = other.getByRole("button", { name: "End", exact: true });
    await ends.first().waitFor(PATIENT);
    for (let left = await ends.count(); left > 0; left -= 1) {
      await ends.first().click();
      await expect.poll(() => ends.count(), PATIENT).toBeLessThan(left);
    }
    await page.getByRole("dialog").getByRole("heading", { name: "Sign in again" }).waitFor(PATIENT);
    await keepScreenshot(page, "hostile-session");
    await fillSignIn(page, "ada");
    await page.getByRole("dialog").waitFor({ state: "detached", ...PATIENT });
    expect(await page.getByRole("textbox", { name: "YAML" }).textContent()).toContain("# mine");
    expect(await page.getByLabel("Reason (optional)").inputValue()).toBe("because");
    await createButton(page).click();
    await page.getByRole("heading", { name: "Create patient #1" }).waitFor(PATIENT);
    await Promise.all([page, other].map((one) => one.context().close()));
  });

  it("tells the second of two tabs what the first one changed, and lets it choose", async () => {
    await declare("shared");
    const first = await site.user("ada");
    const second = await first.context().newPage();
    await Promise.all([first, second].map((page) => page.goto("/clusters/shared/edit")));
    await Promise.all([first, second].map((page) => page.getByText("Nothing would change.").waitFor(PATIENT)));
    await second.getByRole("textbox", { name: "Workers" }).fill("7");
    await second.getByRole("textbox", { name: "Time to live" }).fill("8h");

    await first.getByRole("textbox", { name: "Workers" }).fill("4");
    await first.getByRole("switch", { name: "Protect from deletion" }).click({ force: true });
    await first.getByRole("button", { name: "Apply", exact: true }).click();
    await first.getByText("Succeeded").first().waitFor(PATIENT);

    const told = second.getByRole("alert").filter({ hasText: "Somebody changed the cluster meanwhile" });
    await told.waitFor(PATIENT);
    await told.getByText("1 field changed on both sides. Choose whose stays.").waitFor(PATIENT);
    expect(await second.getByRole("button", { name: "Apply", exact: true }).isDisabled()).toBe(true);
    await keepScreenshot(second, "hostile-two-tabs");
    // What was typed and not applied outlives the page, and what it was based on with it.
    await second.reload();
    await told.waitFor(PATIENT);
    await told.getByRole("button", { name: "Take theirs over, keep mine where both changed" }).click();
    await second.getByRole("button", { name: "Apply", exact: true }).click();
    await second.getByText("Succeeded").first().waitFor(PATIENT);
    const { spec } = await site.place.json<{
      spec: { simulated: { workers: number }; maintenance: { protected: boolean; ttl?: string } };
    }>("get", "cluster", "shared");
    expect(spec.simulated.workers).toBe(7);
    expect(spec.maintenance).toMatchObject({ protected: true, ttl: "8h" });
    await first.context().close();
  });
});
