import type { Page } from "playwright-core";
import { en } from "../../../web/src/i18n/en/index.ts";
import type { Messages } from "../../../web/src/i18n/messages.ts";
import { zhCn } from "../../../web/src/i18n/zh-cn/index.ts";
import { chooseMachines } from "./acts.ts";
import { CHANGED, CREATING_NAME, DRIFTED_NAME, FAILED_NAME } from "./fleet.ts";
import { showHosts } from "./host-steps.ts";
import type { Look } from "./site.ts";

/** What the addresses of a scene stand for. */
export interface Cast {
  readonly failedJob: string;
  readonly runningJob: string;
  readonly batch: string;
}

/** One thing to look at: where it is, what has to be done there, and the texts without which it is not what it should be. */
export interface Scene {
  readonly name: string;
  readonly path: (cast: Cast) => string;
  readonly shows: (m: Messages) => readonly (string | RegExp)[];
  readonly act?: (page: Page, m: Messages) => Promise<void>;
  /** Of somebody who is not signed in. */
  readonly isForVisitors?: boolean;
}

export const MESSAGES: Readonly<Record<NonNullable<Look["language"]>, Messages>> = { "en-US": en, "zh-CN": zhCn };

const at = (path: string) => () => path;
const ofCluster = (tab: string, name = CHANGED) => at(`/clusters/${name}/${tab}`);

/** Before anybody has declared anything. */
export const EMPTY_SCENES: readonly Scene[] = [
  {
    ...{ name: "sign-in", path: at("/overview"), isForVisitors: true },
    shows: (m) => [m.signIn.text],
  },
  {
    ...{ name: "empty", path: at("/clusters") },
    shows: (m) => [m.first.title, m.first.sampleButton],
  },
  { name: "machines-none", path: at("/machines"), shows: (m) => [m.machines.noneText] },
  {
    ...{ name: "machines-none-form", path: at("/clusters/new") },
    shows: (m) => [m.sshForm.noneText],
    act: async (page, m) => {
      await page.getByRole("combobox", { name: m.clusters.provider }).click();
      await page.getByRole("option", { name: m.providers.ssh }).click();
    },
  },
];

/** While two of forty clusters are being made. */
export const BUSY_SCENES: readonly Scene[] = [
  {
    ...{ name: "job-running", path: ({ runningJob }) => `/jobs/${runningJob}` },
    shows: (m) => [CREATING_NAME, m.jobStates.Processing, m.log.follow],
  },
  {
    ...{ name: "job-waterfall", path: ({ runningJob }) => `/jobs/${runningJob}?view=waterfall` },
    shows: (m) => [m.steps.views.waterfall],
  },
  { name: "cluster-busy", path: ofCluster("overview", CREATING_NAME), shows: (m) => [m.phases.Creating] },
  { name: "jobs", path: at("/jobs"), shows: (m) => [m.jobStates.Processing, m.jobStates.Failed] },
];

/** With forty clusters in all states. */
export const FORTY_SCENES: readonly Scene[] = [
  {
    ...{ name: "overview", path: at("/overview") },
    shows: (m) => [m.overview.attention, FAILED_NAME, m.overview.workers],
  },
  {
    ...{ name: "fleet-40", path: at("/clusters") },
    shows: (m) => [m.phases.Unknown, FAILED_NAME, m.phases.Unavailable],
  },
  {
    ...{ name: "fleet-selected", path: at("/clusters?q=prod") },
    shows: (m) => [m.bulk.chosen(2), m.operations.upgrade],
    act: (page) => markTwo(page),
  },
  {
    ...{ name: "batch-dialog", path: at("/clusters?q=prod") },
    shows: (m) => [m.bulk.heading(m.operations.upgrade, 2), m.bulk.waveSize, m.bulk.maxFailuresText],
    act: async (page, m) => {
      await markTwo(page);
      await page.getByRole("button", { name: m.operations.upgrade, exact: true }).click();
    },
  },
  {
    ...{ name: "new", path: at("/clusters/new") },
    shows: (m) => [m.editor.plan, m.editor.form, /5/],
    act: async (page, m) => {
      await page.getByLabel(m.editor.name, { exact: true }).fill("dev-rosa");
      await page.getByRole("combobox", { name: m.clusters.provider }).click();
      await page.getByRole("option", { name: m.providers.simulated }).click();
      await planned(page, m);
    },
  },
  {
    ...{ name: "new-wrong", path: at("/clusters/new") },
    shows: (m) => [m.editor.firstProblem(1, 4)],
    act: async (page, m) => {
      await page.getByLabel(m.editor.name, { exact: true }).fill("Dev_Rosa");
    },
  },
  {
    ...{ name: "edit", path: at(`/clusters/${CHANGED}/edit`) },
    shows: (m) => ["spec.simulated.workers", m.changeClasses["in-place"]],
    act: async (page, m) => {
      await page.getByLabel(m.editor.workers, { exact: true }).fill("11");
      await planned(page, m);
    },
  },
  { name: "cluster", path: ofCluster("overview"), shows: (m) => [m.cluster.conditions, m.tree.title] },
  {
    ...{ name: "cluster-failed", path: ofCluster("overview", FAILED_NAME) },
    shows: (m) => [/address already in use/, m.cluster.showJob],
  },
  { name: "cluster-document", path: ofCluster("spec"), shows: () => ["checkout"] },
  { name: "cluster-drift", path: ofCluster("diff", DRIFTED_NAME), shows: (m) => [m.diff.field, m.modifiers.Drifted] },
  { name: "cluster-nodes", path: ofCluster("nodes"), shows: (m) => [m.nodes.memory, m.nodeStates.Ready] },
  { name: "cluster-jobs", path: ofCluster("jobs"), shows: (m) => [m.jobStates.Succeeded] },
  { name: "cluster-events", path: ofCluster("events"), shows: (m) => [m.eventKinds["job.finished"]] },
  { name: "cluster-access", path: ofCluster("access"), shows: (m) => [m.access.create] },
  {
    ...{ name: "history", path: at(`/clusters/${CHANGED}/history?from=1&to=4`) },
    shows: (m) => [m.history.changes(1, 4), "v1.33.4", "v1.34.0", "checkout takes it over"],
  },
  {
    ...{ name: "delete-dialog", path: ofCluster("overview", "dev-ada") },
    shows: (m) => [m.cluster.deleteText, m.common.typeToConfirm("dev-ada")],
    act: async (page, m) => {
      await page.getByRole("button", { name: m.cluster.more }).click();
      await page.getByRole("menuitem", { name: m.cluster.delete, exact: true }).click();
    },
  },
  {
    ...{ name: "job-failed", path: ({ failedJob }) => `/jobs/${failedJob}` },
    shows: (m) => [/address already in use/, m.jobs.retry, m.jobs.showLog],
  },
  { name: "job-list", path: ({ failedJob }) => `/jobs/${failedJob}?view=list`, shows: (m) => [m.stepStates.Failed] },
  { name: "batches", path: at("/batches"), shows: (m) => [m.batches.heading] },
  { name: "batch", path: ({ batch }) => `/batches/${batch}`, shows: (m) => [m.batches.wave(2), "preview-search"] },
  { name: "templates", path: at("/templates"), shows: () => ["team-cluster"] },
  { name: "import", path: at("/import"), shows: (m) => [m.imports.kubeconfig] },
  {
    ...{ name: "consistency", path: at("/consistency") },
    shows: (m) => [m.verdicts.different, FAILED_NAME],
  },
  { name: "doctor", path: at("/doctor"), shows: (m) => [m.doctor.text, m.doctor.results.ok] },
  { name: "machines-some", path: at("/machines"), shows: (m) => ["rack-a-3", m.machines.states.KeyChanged] },
  {
    ...{ name: "machines-panel", path: at("/machines?machine=rack-a-3") },
    shows: (m) => [m.machines.lookAgain, "swapoff -a", m.machines.kernel],
  },
  {
    ...{ name: "machines-enroll", path: at("/machines") },
    shows: (m) => [m.machines.willEnroll(3), m.secretPicker.text],
    act: async (page, m) => {
      await page.getByRole("button", { name: m.machines.enroll }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: m.machines.names }).fill("web-[1-3]");
      await dialog.getByRole("textbox", { name: m.machines.addresses }).fill("10.0.0.[11-13]");
      await dialog.getByRole("button", { name: m.secretPicker.create }).click();
    },
  },
  {
    ...{ name: "machines-form", path: at("/clusters/new") },
    shows: (m) => [m.sshForm.numbers["etcd-even"], m.sshForm.endpoint],
    act: async (page, m) => {
      await chooseMachines(page, m);
      await page.getByText(m.sshForm.numbers["etcd-even"]).waitFor();
      await page.locator('[data-machine="rack-a-3"]').scrollIntoViewIfNeeded();
    },
  },
  {
    ...{ name: "machines-job", path: ({ failedJob }) => `/jobs/${failedJob}` },
    shows: (m) => [m.steps.laneStates.Unreachable],
    act: (page) => lookAtHosts(page, 3),
  },
  {
    ...{ name: "machines-job-200", path: ({ failedJob }) => `/jobs/${failedJob}` },
    shows: (m) => [m.steps.laneStates.Unreachable, m.steps.laneStates.Failed],
    act: (page) => lookAtHosts(page, 200),
  },
  { name: "audit", path: at("/audit"), shows: (m) => [m.audit.action, "session.create"] },
  { name: "settings-profile", path: at("/settings/profile"), shows: (m) => [m.settings.sessions] },
  { name: "settings-tokens", path: at("/settings/tokens"), shows: () => ["ci pipeline"] },
  { name: "settings-users", path: at("/settings/users"), shows: () => ["grace"] },
  { name: "settings-roles", path: at("/settings/roles"), shows: (m) => [m.rolesTable.batch] },
  { name: "settings-workers", path: at("/settings/workers"), shows: (m) => [m.workers.version] },
  { name: "settings-options", path: at("/settings/options"), shows: (m) => [m.options.source] },
  {
    ...{ name: "palette", path: at("/overview") },
    shows: () => ["prod-shenzhen"],
    act: async (page) => {
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox").fill("shen");
    },
  },
  {
    ...{ name: "keys", path: at("/overview") },
    shows: (m) => [m.keys.title],
    act: async (page) => {
      await page.keyboard.press("?");
    },
  },
  { name: "error", path: ofCluster("overview", "no-such"), shows: (m) => [m.common.tryAgain] },
  { name: "not-found", path: at("/no/such/page"), shows: (m) => [m.shell.notFoundText] },
];

/** With ten thousand. */
export const LARGE_SCENES: readonly Scene[] = [
  { name: "machines-10000", path: at("/machines"), shows: (m) => [m.list.shown(100)] },
  { name: "overview-10000", path: at("/overview"), shows: () => [/10,000/] },
  { name: "fleet-10000", path: at("/clusters"), shows: () => [/10,000/] },
  {
    ...{ name: "heatmap-10000", path: at("/clusters?view=heatmap") },
    shows: () => [/10,000/],
    act: async (page) => {
      await page.locator('[data-name="ci-runner-0009"][data-phase="Unavailable"]').waitFor();
    },
  },
];

async function lookAtHosts(page: Page, hosts: number): Promise<void> {
  await showHosts(page, hosts);
  await page.reload();
  await page.locator("[data-host]").nth(1).click();
  await page.unroute("**/api/v1/jobs/*/graph");
}

async function markTwo(page: Page): Promise<void> {
  for (const row of [1, 2]) await page.getByRole("row").nth(row).getByRole("checkbox").click();
}

async function planned(page: Page, m: Messages): Promise<void> {
  await page.getByRole("heading", { name: m.editor.plan }).waitFor();
  await page
    .getByRole("button", { name: new RegExp(`^(${m.editor.create}|${m.editor.apply})$`) })
    .and(page.locator(":enabled"))
    .waitFor();
}
