import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../docker/support/docker-place.ts";
import { Place } from "../support/place.ts";
import { appendToDocument } from "../web/support/acts.ts";
import { keepScreenshot, Site } from "../web/support/site.ts";
import { FOR_THE_BED } from "./support/documents.ts";
import { ARTIFACTS, closeConnections, listAll, MACHINES, type Machine, OLDER } from "./support/machines.ts";

const NAME = "e2e-page";
const PATIENT = { timeout: 600_000 };
const [first, second, third] = MACHINES as readonly [Machine, Machine, Machine];
const all = [first, second, third];

let site: Site;
let before: readonly (readonly string[])[];
beforeAll(async () => {
  before = await Promise.all(all.map(listAll));
  site = await Site.open(() => Place.make({ DROVER_RESYNC_INTERVAL: "5s", DROVER_HEALTH_INTERVAL: "10s" }));
});
afterAll(async () => {
  await site.close();
  closeConnections();
});

it("somebody who read nothing enrols three machines, makes a cluster of them, and deletes it by its name", async () => {
  const page = await site.visitor();
  await page.goto(site.signInLink);
  await page.getByRole("main").getByRole("link", { name: "New cluster" }).first().click(PATIENT);
  await page.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: "Machines (SSH)" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(NAME);
  await page.getByRole("textbox", { name: "Kubernetes" }).fill(OLDER);
  await page.getByRole("textbox", { name: "Folder" }).fill(ARTIFACTS);
  await enroll(page);
  await giveRoles(page);
  await appendToDocument(page, `    kubeadmPatches: ${JSON.stringify(FOR_THE_BED)}\n`);
  await page.getByText("3 machines checked: nothing is in the way").waitFor(PATIENT);
  await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
  await keepScreenshot(page, "machines-form");
  await page.getByRole("button", { name: "Create", exact: true }).last().click();

  await watchHosts(page);
  await page.getByRole("link", { name: NAME, exact: true }).click();
  await page.getByText("Running").first().waitFor(PATIENT);
  await expectReadyNodes(page);

  await page.getByRole("link", { name: "Nodes", exact: true }).click();
  await page.getByRole("link", { name: `Machine ${third.name}` }).click();
  await page.getByRole("link", { name: `${NAME}, as ${third.name}` }).click();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByLabel(`Type ${NAME} to confirm`).fill(NAME);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: `Delete ${NAME}` }).waitFor(PATIENT);
  await page.getByText("Succeeded").first().waitFor(PATIENT);
  const after = await Promise.all(all.map(listAll));
  for (const [index, listing] of after.entries()) expect(listing).toEqual(before[index]);
  expect(site.offences).toEqual([]);
  await page.context().close();
});

/** Where the machines would be: nothing but names, addresses and a key is asked for. */
async function enroll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Enrol machines" }).click();
  const dialog = page.getByRole("dialog", { name: "Enrol machines" });
  await dialog.getByRole("textbox", { name: "Names" }).fill(all.map(({ name }) => name).join("\n"));
  await dialog.getByRole("textbox", { name: "Addresses" }).fill(all.map(({ address }) => address).join("\n"));
  await dialog.getByRole("textbox", { name: "User" }).fill(first.user);
  await dialog.getByRole("textbox", { name: "Port of sshd" }).fill(String(first.port));
  await dialog.getByRole("button", { name: "Store a new one" }).click();
  await dialog.getByRole("textbox", { name: "Private key" }).fill(readFileSync(first.key, "utf8"));
  await dialog.getByRole("button", { name: "Store the secret" }).click();
  await dialog.getByRole("group", { name: "New secret" }).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Enrol machines" }).click();
  await dialog.waitFor({ state: "detached" });
  for (const { name } of all) await cardOf(page, name).getByText("Reachable").waitFor(PATIENT);
}

/** One machine by keys, one by its button, one by dragging. */
async function giveRoles(page: Page): Promise<void> {
  await cardOf(page, first.name)
    .getByRole("button", { name: /^Move / })
    .focus();
  await page.keyboard.press("ArrowRight");
  await cardIn(page, "Control planes", first.name).waitFor();
  await page.getByText(`${first.name} is now in Control planes, which has 1 machine.`).waitFor({ state: "attached" });
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(
    `Move ${first.name}, now in Control planes`,
  );
  await cardOf(page, second.name)
    .getByRole("button", { name: /^Worker/ })
    .click();
  await cardIn(page, "Workers", second.name).waitFor();
  await cardOf(page, third.name).dragTo(page.getByRole("region", { name: "Workers" }));
  await cardIn(page, "Workers", third.name).waitFor();
}

/** Every machine has a lane of its own, which ends well. */
async function watchHosts(page: Page): Promise<void> {
  await page.getByRole("heading", { name: `Create ${NAME} #1` }).waitFor(PATIENT);
  const lane = (name: string) => page.locator(`[data-host="${name}"]`);
  for (const { name } of all) await lane(name).waitFor(PATIENT);
  await lane(second.name).getByText("Running").waitFor(PATIENT);
  await keepScreenshot(page, "machines-job");
  await lane(second.name).click();
  await page.waitForURL(new RegExp(`host=${second.name}`));
  await page.getByText("Succeeded").first().waitFor(PATIENT);
  for (const { name } of all) await lane(name).getByText("Done", { exact: true }).waitFor(PATIENT);
  await keepScreenshot(page, "machines-job-done");
}

async function expectReadyNodes(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Access", exact: true }).click();
  await page.getByRole("button", { name: "Make it" }).click();
  const download = page.getByRole("button", { name: "Download" });
  await download.waitFor(PATIENT);
  const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
  site.place.write("page.kubeconfig", readFileSync(await file.path(), "utf8"));
  const nodes = run("kubectl", "--kubeconfig", `${site.place.folder}/page.kubeconfig`, "get", "nodes", "--no-headers");
  const states = nodes.split("\n").map((line) => line.split(/\s+/).slice(0, 2).join(" "));
  expect(states.sort()).toEqual(all.map(({ name }) => `${name} Ready`).sort());
}

const cardOf = (page: Page, machine: string) => page.locator(`[data-machine="${machine}"]`);
const cardIn = (page: Page, column: string, machine: string) =>
  page.getByRole("region", { name: column }).locator(`[data-machine="${machine}"]`);
