import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepScreenshot, Site } from "../web/support/site.ts";
import { makeDockerPlace, NEWER, RUN, run, sweepUp, thingsOf } from "./support/docker-place.ts";

const NAME = `${RUN}-web`;
const PATIENT = { timeout: 400_000 };

let site: Site;
beforeAll(async () => {
  site = await Site.open(makeDockerPlace);
});
afterAll(async () => {
  await site.close();
  expect(sweepUp()).toEqual([]);
});

it("somebody new makes a real cluster from the page, asks it for its nodes, and deletes it by its name", async () => {
  const page = await site.visitor();
  await page.goto(site.signInLink);
  await page.getByRole("main").getByRole("link", { name: "New cluster" }).first().click(PATIENT);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(NAME);
  expect(await page.getByRole("combobox", { name: "Provider" }).inputValue()).toBe("kind");
  await page.getByRole("textbox", { name: "Kubernetes" }).fill(NEWER);
  await page.getByRole("textbox", { name: "Workers" }).fill("1");
  await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
  await page.getByRole("button", { name: "Create", exact: true }).last().click();

  await page.getByRole("heading", { name: `Create ${NAME} #1` }).waitFor(PATIENT);
  await page
    .getByRole("log")
    .getByText(/Starting control-plane/)
    .first()
    .waitFor(PATIENT);
  await keepScreenshot(page, "kind-job");
  await page.getByText("Succeeded").first().waitFor(PATIENT);
  await page.getByRole("link", { name: NAME, exact: true }).click();
  await page.getByText("Running").first().waitFor(PATIENT);

  await page
    .getByRole("tab", { name: "Access" })
    .or(page.getByRole("link", { name: "Access" }))
    .click();
  await page.getByRole("button", { name: "Make it" }).click();
  const download = page.getByRole("button", { name: "Download" });
  await download.waitFor(PATIENT);
  const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
  site.place.write("dev.kubeconfig", readFileSync(await file.path(), "utf8"));
  const kubeconfig = `${site.place.folder}/dev.kubeconfig`;
  const nodes = run("kubectl", "--kubeconfig", kubeconfig, "get", "nodes", "-o", "name").split("\n");
  expect(nodes.sort()).toEqual([`node/${NAME}-control-plane`, `node/${NAME}-worker`]);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByLabel(`Type ${NAME} to confirm`).fill(NAME);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: `Delete ${NAME}` }).waitFor(PATIENT);
  await page.getByText("Succeeded").first().waitFor(PATIENT);
  expect(thingsOf(NAME)).toEqual([]);
  await page.context().close();
});
