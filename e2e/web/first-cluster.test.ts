import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillSignIn } from "./support/acts.ts";
import { keepScreenshot, Site } from "./support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await Site.open();
  await site.makeUser("ada", "admin");
});
afterAll(() => site.close());

const PATIENT = { timeout: 60_000 };

describe("somebody new", () => {
  it("opens the link, makes a cluster, watches it come about, and deletes it by its name", async () => {
    const page = await site.visitor();
    await page.goto(site.signInLink);
    await page.getByRole("heading", { name: "No clusters yet" }).waitFor(PATIENT);
    expect(page.url()).not.toContain("token");
    await keepScreenshot(page, "first-steps");

    await page.getByRole("main").getByRole("link", { name: "New cluster" }).first().click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("first");
    await page.getByRole("combobox", { name: "Provider" }).click();
    await page.getByRole("option", { name: "Simulated" }).click();
    await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
    await page.getByRole("button", { name: "Create", exact: true }).last().click();

    await page.getByRole("heading", { name: "Create first #1" }).waitFor(PATIENT);
    await page.getByText("Succeeded").first().waitFor(PATIENT);
    await page.getByRole("link", { name: "first", exact: true }).click();
    await page.getByText("Running").first().waitFor(PATIENT);

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete" });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel("Type first to confirm").fill("first");
    await confirm.click();
    await page.getByRole("heading", { name: "Delete first #2" }).waitFor(PATIENT);
    await page.getByText("Succeeded").first().waitFor(PATIENT);
    await page.context().close();
  });

  it("is told why signing in did not work, and signs in on top of what they typed when a session ends", async () => {
    const page = await site.visitor();
    await page.goto("/clusters/new");
    await fillSignIn(page, "ada", "wrong password, surely");
    await page.getByRole("alert").waitFor(PATIENT);
    await fillSignIn(page, "ada");
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.waitFor(PATIENT);
    await page.context().clearCookies();
    // The first thing that the form asks the server about this name ends in the dialog, which may come at any moment now.
    await name.fill("kept-name");
    await page.getByRole("dialog").getByRole("heading", { name: "Sign in again" }).waitFor(PATIENT);
    await fillSignIn(page, "ada");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("kept-name");
    await page.context().close();
  });
});
