import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeCluster } from "../support/place.ts";
import { Site } from "./support/site.ts";
import { waitUntilDrawn } from "./support/wait-until-drawn.ts";

let site: Site;
beforeAll(async () => {
  site = await Site.open();
  await site.makeUser("ada", "admin");
});
afterAll(() => site.close());

const PATIENT = { timeout: 60_000 };
const MOST_STEPS = 80;

interface Focus {
  readonly name: string;
  readonly role: string;
  readonly isVisible: boolean;
}

/** What has the focus, into shadow trees, and whether one can see that it has it and that nothing lies over it. */
const READ_FOCUS = `(() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (at === null || at === document.body) return { name: "", role: "nothing", isVisible: false };
  const label = at.labels?.[0]?.textContent ?? "";
  const marks = (one) => {
    const style = getComputedStyle(one);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  };
  const isField = at.matches("input, textarea");
  const box = at.getBoundingClientRect();
  const isMarked = marks(at) || marks(at.parentElement) || at.closest(".cm-focused") !== null || isField;
  return {
    name: (at.getAttribute("aria-label") ?? (label || at.textContent) ?? "").trim(),
    role: at.getAttribute("role") ?? at.tagName.toLowerCase(),
    isVisible: isMarked && box.bottom > 0 && box.top < innerHeight,
  };
})()`;

const focusOf = async (page: Page): Promise<Focus> => await page.evaluate(READ_FOCUS);

/** Presses Tab until something of that name has the focus. Whatever has it on the way shows that it has. */
async function tabTo(page: Page, name: RegExp, key = "Tab"): Promise<void> {
  const way: string[] = [];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press(key);
    await waitUntilDrawn(page);
    const focus = await focusOf(page);
    way.push(`${focus.role} ${focus.name.slice(0, 30)}`);
    if (focus.role !== "nothing") expect(focus.isVisible, `the focus shows: ${way.at(-1)}`).toBe(true);
    if (name.test(focus.name)) return;
  }
  throw new Error(`Nothing called ${name} came on the way: ${way.join(", ")}`);
}

const expectFocus = async (page: Page) =>
  expect((await focusOf(page)).role, "the focus is somewhere").not.toBe("nothing");

it("a cluster is made, watched, cancelled and deleted without a mouse", async () => {
  const page = await site.user("ada");
  await page.goto("/overview");
  await page.getByRole("heading", { name: "No clusters yet" }).waitFor(PATIENT);
  await page.keyboard.press("c");
  await page.getByRole("heading", { name: "New cluster" }).waitFor(PATIENT);
  await tabTo(page, /^Name/);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("by-hand");
  await tabTo(page, /^Provider/);
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Simulated" }).waitFor(PATIENT);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByText("provider: simulated").waitFor(PATIENT);
  await tabTo(page, /^Workers/);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("30");
  await tabTo(page, /^YAML$|apiVersion/);
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("    latency: { minimumMs: 5000, maximumMs: 5000 }");
  await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
  await tabTo(page, /^Create$/);
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { name: "Create by-hand #1" }).waitFor(PATIENT);
  await page.keyboard.press("l");
  expect((await focusOf(page)).role).toBe("log");
  await tabTo(page, /^Cancel$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor(PATIENT);
  await expectFocus(page);
  await tabTo(page, /^Take back what was made so far/);
  await page.keyboard.press("Space");
  await tabTo(page, /^Reason/);
  await page.keyboard.type("only trying");
  await tabTo(page, /^Cancel the job$/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached", ...PATIENT });
  await page.getByText("Canceled").first().waitFor(PATIENT);

  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.getByRole("grid").waitFor(PATIENT);
  await page.keyboard.press("j");
  await expect.poll(async () => (await focusOf(page)).role, PATIENT).toBe("row");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "by-hand" }).waitFor(PATIENT);
  await tabTo(page, /^More actions$/);
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).waitFor(PATIENT);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.getByLabel("Type by-hand to confirm").waitFor(PATIENT);
  await expect.poll(async () => (await focusOf(page)).name, PATIENT).toMatch(/^Type by-hand/);
  await page.keyboard.type("by-hand");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Delete by-hand" }).waitFor(PATIENT);
  await page.getByText("Succeeded").first().waitFor(PATIENT);
  await page.context().close();
});

it("every key of the help does what it says, and none while somebody types", async () => {
  for (const name of ["alpha", "beta"]) {
    site.place.write(`${name}.yaml`, describeCluster(name));
    await site.place.must("apply", "-f", `${name}.yaml`, "--wait");
  }
  const page = await site.user("ada");
  await page.goto("/overview");
  await page.getByRole("main").waitFor(PATIENT);
  const go = async (keys: string, address: RegExp) => {
    for (const key of keys.split(" ")) await page.keyboard.press(key);
    await page.waitForURL(address, PATIENT);
  };
  await go("g j", /\/jobs$/);
  await go("g a", /\/audit$/);
  await go("g c", /\/clusters$/);
  await page.getByRole("grid", { name: "Clusters" }).waitFor(PATIENT);
  await page.getByRole("link", { name: "alpha" }).waitFor(PATIENT);
  await page.keyboard.press("/");
  await expect.poll(async () => (await focusOf(page)).name, PATIENT).toMatch(/Filter clusters/);
  await page.keyboard.type("jcx");
  expect(page.url()).toMatch(/\/clusters/);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Backspace");
  await page.getByRole("link", { name: "alpha" }).waitFor(PATIENT);
  await page.keyboard.press("Escape");
  await page.evaluate("document.activeElement.blur()");
  const atRow = async (index: string) => {
    await expect.poll(async () => await page.evaluate("document.activeElement.dataset.index"), PATIENT).toBe(index);
  };
  await page.keyboard.press("j");
  await atRow("0");
  await page.keyboard.press("j");
  await atRow("1");
  await page.keyboard.press("k");
  await atRow("0");
  await page.keyboard.press("x");
  await page.getByText("1 selected").waitFor(PATIENT);
  await page.keyboard.press("x");
  await page.getByText("1 selected").waitFor({ state: "detached", ...PATIENT });
  // A page listens to its keys once it is there.
  const heading = async (name: RegExp) => await page.getByRole("heading", { level: 1, name }).waitFor(PATIENT);
  await go("d", /alpha\/diff$/);
  await heading(/^alpha/);
  await go("l", /alpha\/jobs$/);
  await go("e", /alpha\/edit$/);
  await heading(/alpha/);
  await page.getByRole("textbox").first().waitFor(PATIENT);
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor(PATIENT);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached", ...PATIENT });
  await page.keyboard.press("ControlOrMeta+k");
  await expect.poll(async () => (await focusOf(page)).role, PATIENT).toBe("combobox");
  await page.keyboard.type("bet");
  await page.getByRole("option", { name: /^beta/, selected: true }).waitFor(PATIENT);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/clusters\/beta\/overview$/, PATIENT);
  await page.context().close();
});
