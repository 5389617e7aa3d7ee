import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { en } from "../../web/src/i18n/en/index.ts";
import type { Messages } from "../../web/src/i18n/messages.ts";
import { describeCluster, LASTING_MS } from "../support/place.ts";
import { chooseMachines, typeDocument } from "./support/acts.ts";
import { allDressesAt, DressedPage } from "./support/dressed-page.ts";
import { type Fleet, openBusyFleet } from "./support/fleets.ts";
import { showHosts } from "./support/host-steps.ts";

/** What lies over a page, or comes up on it when somebody does something. */
interface Overlay {
  readonly path: string;
  /** Nobody, for what stands before everything else. */
  readonly user?: "ada" | null;
  readonly open: (page: Page) => Promise<void>;
  readonly shows: (page: Page, m: Messages) => Locator;
}

const PATIENT = { timeout: 60_000 };

let fleet: Fleet;
/** The address of a job that is done and had another before it. */
let doneJob = "";

beforeAll(async () => {
  fleet = await openBusyFleet();
  doneJob = await newestJob("good");
});
afterAll(() => fleet.site.close());

async function newestJob(cluster: string): Promise<string> {
  const { items } = await fleet.site.place.json<{ items: { id: string }[] }>("jobs", cluster);
  return `/jobs/${items[0]?.id}`;
}

const press = (name: string | RegExp) => async (page: Page) =>
  await page.getByRole("button", { name, exact: true }).first().click();
const choose = (button: string | RegExp, item: string) => async (page: Page) => {
  await press(button)(page);
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
const keys = (combination: string) => async (page: Page) => {
  await page.locator("h1").first().waitFor(PATIENT);
  await page.keyboard.press(combination);
};
const dialog = (name: (m: Messages) => string) => (page: Page, m: Messages) =>
  page.getByRole("dialog", { name: name(m), exact: true });
const menu = (item: (m: Messages) => string) => (page: Page, m: Messages) =>
  page.getByRole("menu").getByText(item(m), { exact: true });
const text = (find: (m: Messages) => string) => (page: Page, m: Messages) => page.getByText(find(m)).first();

const OVERLAYS: Readonly<Record<string, () => Overlay>> = {
  "the deletion of a cluster": () => ({
    path: "/clusters/good/overview",
    open: choose("More actions", "Delete"),
    shows: dialog((m) => m.cluster.deleteTitle("good")),
  }),
  "an action on a cluster": () => ({
    path: "/clusters/good/overview",
    open: choose("More actions", "Pause"),
    shows: dialog((m) => m.cluster.actionTitle(m.cluster.actions.pause, "good")),
  }),
  "the deletion of many": () => ({
    path: "/clusters",
    open: async (page) => {
      for (const name of ["good", "bad"]) await page.getByRole("checkbox", { name: `Select ${name}` }).click();
      await page.getByRole("group", { name: "Selected clusters" }).getByRole("button", { name: "Delete" }).click();
    },
    shows: dialog((m) => m.bulk.heading(m.operations.delete, 2)),
  }),
  "the upgrade of many": () => ({
    path: "/clusters",
    open: async (page) => {
      await page.getByRole("checkbox", { name: "Select good" }).click();
      await press("Upgrade")(page);
    },
    shows: dialog((m) => m.bulk.heading(m.operations.upgrade, 1)),
  }),
  "a view to save": () => ({
    path: "/clusters?q=good",
    open: choose("Views", "Save this view"),
    shows: dialog((m) => m.views.save),
  }),
  "a rollback": () => ({
    path: "/clusters/good/history",
    open: press("Roll back"),
    shows: dialog((m) => m.history.rollbackTitle("good", 1)),
  }),
  "the drain of a node": () => ({
    path: "/clusters/good/nodes",
    open: choose(/^Actions for /, "Drain"),
    shows: (page, m) => page.getByRole("dialog").getByText(m.nodes.texts.drain),
  }),
  "the preview of a plan": () => ({
    path: "/clusters/good/edit",
    open: async (page) => await page.getByRole("textbox", { name: "Workers" }).fill("5"),
    shows: (page) => page.getByText("spec.simulated.workers"),
  }),
  "the choices of a field": () => ({
    path: "/clusters/new",
    open: async (page) => await page.getByRole("combobox", { name: "Provider" }).click(),
    shows: (page, m) => page.getByRole("option", { name: m.providers.simulated }),
  }),
  "a document with problems": () => ({
    path: "/clusters/new",
    open: async (page) => await page.getByRole("textbox", { name: "Name", exact: true }).fill("Not A Name"),
    shows: (page, m) => page.getByRole("list", { name: m.editor.problems }),
  }),
  "a plan that went stale": () => ({
    path: "/clusters/new",
    open: async (page) => {
      await typeDocument(page, describeCluster("contested", { workers: 5 }));
      await page.getByText(/^\d+ steps$/).waitFor(PATIENT);
      fleet.site.place.write("contested.yaml", describeCluster("contested", { workers: 1 }));
      await fleet.site.place.must("apply", "-f", "contested.yaml", "--wait");
      await page.getByRole("button", { name: "Create", exact: true }).last().click();
    },
    shows: (page, m) => page.getByRole("button", { name: m.editor.planAgain }),
  }),
  "a cluster that moved on while it was edited": () => ({
    path: "/clusters/moving/edit",
    open: async (page) => {
      const { place } = fleet.site;
      place.write("moving.yaml", describeCluster("moving"));
      await place.must("apply", "-f", "moving.yaml", "--wait");
      await page.reload();
      await page.getByRole("textbox", { name: "Workers" }).fill("7");
      place.write("moving.yaml", describeCluster("moving", { workers: 4 }));
      await place.must("apply", "-f", "moving.yaml", "--wait");
    },
    shows: (page, m) => page.getByRole("alert").getByText(m.editor.movedOn),
  }),
  "the cancellation of a job": () => ({
    path: "/jobs",
    open: async (page) => {
      fleet.site.place.write("slow.yaml", describeCluster("slow", { workers: 40, ms: LASTING_MS }));
      await fleet.site.place.must("apply", "-f", "slow.yaml");
      await page.goto(await newestJob("slow"));
      await press("Cancel")(page);
    },
    shows: dialog((m) => m.jobs.cancelTitle(m.jobKinds.create, "slow")),
  }),
  "the report of a job": () => ({
    path: doneJob,
    open: press("Report"),
    shows: dialog((m) => m.jobs.reportTitle),
  }),
  "a job beside the one before": () => ({
    path: doneJob,
    open: press("Compare"),
    shows: dialog((m) => m.jobs.compareTitle(2, 1)),
  }),
  "a new template": () => ({
    path: "/templates",
    open: press("New template"),
    shows: dialog((m) => m.templates.create),
  }),
  "a cluster from a template": () => ({
    path: "/templates",
    open: press("Make a cluster"),
    shows: dialog((m) => m.templates.useTitle("small")),
  }),
  "the deletion of a template": () => ({
    path: "/templates",
    open: press("Delete"),
    shows: dialog((m) => m.cluster.deleteTitle("small")),
  }),
  "a token that was made": () => ({
    path: "/settings/tokens",
    open: async (page) => {
      await page.getByRole("textbox", { name: "Name" }).fill("for a look");
      await press("New token")(page);
    },
    shows: text((m) => m.access.once),
  }),
  "machines to enrol, with a new secret": () => ({
    path: "/machines",
    open: async (page) => {
      await press("Enrol machines")(page);
      await press("Store a new one")(page);
    },
    shows: (page, m) => page.getByRole("dialog").getByRole("group", { name: m.secretPicker.title }),
  }),
  "what is in the way on machines": () => ({
    path: "/machines",
    open: async (page) => {
      await press("Check")(page);
      await page.getByRole("dialog").getByRole("button", { name: "Check" }).click();
    },
    shows: (page) => page.getByRole("dialog").getByRole("heading", { name: "rack-a-3" }),
  }),
  "a machine": () => ({
    path: "/machines?machine=rack-a-3",
    open: async () => {},
    shows: (page, m) => page.getByRole("complementary").getByRole("button", { name: m.machines.lookAgain }),
  }),
  "the access of a machine": () => ({
    path: "/machines?machine=rack-a-1",
    open: press("Edit"),
    shows: dialog((m) => m.machines.editTitle("rack-a-1")),
  }),
  "a machine to forget": () => ({
    path: "/machines?machine=rack-a-1",
    open: press("Forget"),
    shows: dialog((m) => m.machines.forgetTitle("rack-a-1")),
  }),
  "another host key": () => ({
    path: "/machines?machine=rack-c-2",
    open: press("Accept the new key"),
    shows: dialog((m) => m.machines.acceptTitle("rack-c-2")),
  }),
  "machines as nodes": () => ({
    path: "/clusters/new",
    open: async (page) => await chooseMachines(page, en),
    shows: (page, m) => page.getByText(m.sshForm.numbers["etcd-even"]),
  }),
  "a job on three machines": () => ({
    path: doneJob,
    open: async (page) => {
      await showHosts(page, 3);
      await page.reload();
      await page.locator("[data-host]").nth(1).click();
    },
    shows: (page, m) => page.getByRole("button", { name: m.steps.laneStates.Unreachable }).first(),
  }),
  "a job on two hundred machines": () => ({
    path: doneJob,
    open: async (page) => {
      await showHosts(page, 200);
      await page.reload();
    },
    shows: (page, m) => page.getByRole("group", { name: m.steps.hostStates }),
  }),
  "an entry of the audit log": () => ({
    path: "/audit",
    open: async (page) => await page.getByRole("grid").getByRole("link").first().click(),
    shows: (page, m) => page.getByRole("complementary", { name: m.list.details }),
  }),
  "the palette": () => ({ path: "/overview", open: keys("ControlOrMeta+k"), shows: dialog((m) => m.palette.title) }),
  "the help for keys": () => ({ path: "/overview", open: keys("?"), shows: dialog((m) => m.keys.title) }),
  "the menu of preferences": () => ({
    path: "/overview",
    open: press("Language, theme, time"),
    shows: menu((m) => m.preferences.theme),
  }),
  "the menu of the account": () => ({
    path: "/overview",
    open: press(/^Account/),
    shows: menu((m) => m.shell.signOut),
  }),
  "how fresh the page is": () => ({ path: "/overview", open: press("Live"), shows: text((m) => m.live.liveText) }),
  "the menu to copy": () => ({
    path: "/clusters/good/overview",
    open: press("Copy as …"),
    shows: menu((m) => m.copy.yaml),
  }),
  "the menu of a cluster": () => ({
    path: "/clusters/good/overview",
    open: press("More actions"),
    shows: menu((m) => m.cluster.delete),
  }),
  "the way in": () => ({
    ...{ path: "/overview", user: null },
    open: async () => {},
    shows: (page, m) => page.getByRole("heading", { name: m.signIn.title }),
  }),
  "the way in, refused": () => ({
    ...{ path: "/overview", user: null },
    open: async (page) => {
      await page.getByLabel("User name").fill("ada");
      await page.getByLabel("Password", { exact: true }).fill("wrong password, surely");
      await press("Sign in")(page);
    },
    shows: (page, m) => page.getByRole("alert").getByText(m.errorCodes["login-failed"].title).first(),
  }),
  "a session that ended": () => ({
    path: "/overview",
    open: async (page) => {
      await page.locator("h1").first().waitFor(PATIENT);
      await page.context().clearCookies();
      await page.getByRole("link", { name: "Jobs", exact: true }).click();
    },
    shows: dialog((m) => m.signIn.again),
  }),
  "a server that does not answer": () => ({
    path: "/overview",
    open: async (page) => {
      await page.route("**/api/v1/me", (route) => route.abort());
      await page.reload();
    },
    shows: text((m) => m.shell.unreachable),
  }),
};

const dressesOf = (name: string) => allDressesAt(Object.keys(OVERLAYS).indexOf(name));

it.each(Object.keys(OVERLAYS))("%s is accessible", async (name) => {
  const { path, user = "ada", open, shows } = (OVERLAYS[name] as () => Overlay)();
  const dressed = await DressedPage.open(fleet.site, user);
  await dressed.goto(path);
  await open(dressed.page);
  const found = await dressed.findViolations(
    dressesOf(name),
    async (m) => await shows(dressed.page, m).waitFor(PATIENT),
  );
  expect(found).toEqual([]);
  await dressed.close();
});

it("nothing went wrong on any of them", () => {
  expect([...new Set(fleet.site.offences)]).toEqual([]);
  const count = Object.keys(OVERLAYS).flatMap(dressesOf).length;
  process.stdout.write(`${count} combinations of overlay, theme and language\n`);
});
