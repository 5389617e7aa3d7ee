import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { typeDocument } from "./support/acts.ts";
import { makeSomeMachines } from "./support/machines.ts";
import { Site } from "./support/site.ts";

const DOCUMENT = `# for the accountants
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata:
  name: books
spec:
  provider: ssh
  kubernetes: { version: v1.34.4 }
  ssh:
    distribution: kubeadm
    access: { credential: { name: machines } } # the usual key
    artifacts: { source: directory, location: /srv/artifacts, offline: true }
    nodes: []
`;
const PATIENT = { timeout: 60_000 };

let site: Site;
beforeAll(async () => {
  site = await Site.open();
  await site.makeUser("ada", "admin");
  await makeSomeMachines(site.place);
});
afterAll(() => site.close());

const inColumn = (page: Page, column: string, machine: string) =>
  page.locator(`[data-column=${column}] [data-machine="${machine}"]`);
const yaml = (page: Page) => page.getByRole("textbox", { name: "YAML" });

/** Takes a machine by its handle, so many columns to the right. */
async function push(page: Page, machine: string, ...columns: readonly string[]): Promise<void> {
  await page.locator(`[data-machine="${machine}"] [data-handle]`).focus();
  for (const column of columns) {
    await page.keyboard.press("ArrowRight");
    await inColumn(page, column, machine).locator("[data-handle]:focus").waitFor(PATIENT);
  }
}

it("machines become nodes by keys alone; board, form and YAML are one document, and comments stay", async () => {
  const page = await site.user("ada");
  await page.goto("/clusters/new");
  await typeDocument(page, DOCUMENT);
  await push(page, "rack-a-1", "controlplane");
  await push(page, "rack-a-3", "controlplane", "worker");
  await page.getByText("1 of 2 machines cannot be used as they are").waitFor(PATIENT);
  await inColumn(page, "worker", "rack-a-3").getByText("swapoff -a").waitFor(PATIENT);
  await page.getByText("the job would stop before anything begins").waitFor(PATIENT);

  await page.getByRole("textbox", { name: "Name of the node on rack-a-3" }).fill("ledger");
  await expect.poll(() => yaml(page).textContent()).toContain("name: ledger, address: 10.20.0.3");
  const text = await yaml(page).textContent();
  expect(text).toContain("# for the accountants");
  expect(text).toContain("# the usual key");
  expect(text).toContain("user: debian");

  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowLeft");
  await inColumn(page, "controlplane", "rack-a-3").waitFor(PATIENT);
  await page.getByText("etcd needs an odd number of machines").waitFor(PATIENT);
  await page.getByRole("combobox", { name: "Address of the Kubernetes API" }).selectOption("given");
  await page.getByRole("textbox", { name: "Name or address" }).fill("k8s.example.com");
  await expect.poll(() => yaml(page).textContent()).toContain("host: k8s.example.com");
  await page.context().close();
});

it("a machine of somebody else stays where it is, and says whose it is", async () => {
  const page = await site.user("ada");
  await page.goto("/clusters/new");
  await typeDocument(page, DOCUMENT);
  const taken = inColumn(page, "available", "rack-b-2");
  await taken.getByText("Belongs to the cluster billing.").waitFor(PATIENT);
  expect(await taken.getByRole("button", { name: /^Worker/ }).count()).toBe(0);
  await taken.locator("[data-handle]").focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("rack-b-2 stays where it is. Belongs to the cluster billing.").waitFor({ state: "attached" });
  await taken.dragTo(page.getByRole("region", { name: "Workers" }));
  await inColumn(page, "available", "rack-b-3").getByText("Drover did not make").waitFor();
  expect(await page.locator("[data-column=worker] [data-machine]").count()).toBe(0);
  await page.getByRole("searchbox", { name: /^Find by/ }).fill("rack=a");
  await expect.poll(() => page.locator("[data-column=available] [data-machine]").count()).toBe(3);
  await page.context().close();
});

it("a machine is edited beside the list", async () => {
  const page = await site.user("ada");
  await page.goto("/machines?machine=rack-d-1");
  await page.getByRole("button", { name: "Edit", exact: true }).click(PATIENT);
  const dialog = page.getByRole("dialog", { name: "Edit rack-d-1" });
  await dialog.getByRole("textbox", { name: "Labels" }).fill("rack=d room=2");
  await dialog.getByRole("textbox", { name: "User" }).fill("admin");
  // Nobody is at its address, and a changed one is looked at at once: this machine itself refuses it.
  await dialog.getByRole("textbox", { name: "Address" }).fill("127.0.0.1");
  await dialog.getByRole("textbox", { name: "Port of sshd" }).fill("9");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const panel = page.getByRole("complementary");
  await panel.getByText("admin@127.0.0.1:9").waitFor(PATIENT);
  await panel.getByText("room").first().waitFor(PATIENT);
  expect(await panel.getByText("10.").count()).toBe(0);
  await page.context().close();
});

it("nothing went wrong on any page", () => {
  expect([...new Set(site.offences)]).toEqual([]);
});
