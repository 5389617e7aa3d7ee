import type { Locator, Page } from "playwright-core";
import type { Messages } from "../../../web/src/i18n/messages.ts";
import { MANY } from "./fleets.ts";

/** What a page can be like besides being there with everything on it. */
export const STATES = ["loading", "empty", "filtered", "error", "forbidden", "stale", "offline", "many"] as const;
export type State = (typeof STATES)[number];

/** A page in a state: who looks at which address of which fleet, and what has to be seen. */
export interface Scene {
  readonly fleet: "busy" | "still" | "large";
  readonly user: "ada" | "vic" | "nora";
  readonly path: string;
  /** What somebody does before it shows, in English. */
  readonly act?: (page: Page) => Promise<void>;
  readonly shows: (page: Page, m: Messages) => Locator;
  /** Selects elements that are like others of the page, where they are too many for axe. */
  readonly alike?: string;
}

/** Why a page is never in a state. */
export interface Never {
  readonly never: string;
}

export type Row = Readonly<Record<State, Scene | Never>>;

const NUMBER = new Intl.NumberFormat("en");
const text = (find: (m: Messages) => string) => (page: Page, m: Messages) => page.getByText(find(m)).first();
const never = (reason: string): Never => ({ never: reason });

type Sketch = Pick<Scene, "shows"> & Partial<Scene>;
type RowSketch = Readonly<Record<Exclude<State, "stale" | "offline">, Sketch | Never>>;

const BONES: Sketch = { shows: (page, m) => page.getByRole("status", { name: m.common.loading }).first() };
const REFUSED: Sketch = { shows: text((m) => m.errorCodes["store-damaged"].title) };
const OLD: Sketch = { shows: (page, m) => page.getByRole("button", { name: m.live.stale }) };
const CUT_OFF: Sketch = { shows: text((m) => m.live.offlineBanner) };

const NO_FILTER = never("nothing can be filtered here");
const EVERYBODY = never("every role may see it; lists leave out what is outside a scope");
const NOT_A_LIST = never("it is about one thing, not about many");
const WITH_PEOPLE = never("it grows with people and machines, not with the fleet");
const READS_NOTHING = never("it asks the server for nothing");

const empty = (find: (m: Messages) => string, where: Partial<Scene> = {}): Sketch => ({
  ...{ fleet: "still", shows: text(find), ...where },
});
const many = (shows: Scene["shows"]): Sketch => ({ fleet: "large", shows });
const outOfScope: Sketch = { user: "nora", shows: text((m) => m.errorCodes["cluster-not-found"].title) };
const viewer: Sketch = { user: "vic", shows: text((m) => m.errorCodes.forbidden.title) };
const rows = (count: number) => (page: Page, m: Messages) => page.getByText(m.list.shown(count), { exact: true });

/** A page: its address, and its states. What it shows when time has passed or the network is gone is the same for all. */
function row(path: string, sketch: RowSketch): Row {
  const scene = (one: Sketch | Never): Scene | Never =>
    "never" in one ? one : { fleet: "busy", user: "ada", path, ...one };
  return {
    ...(Object.fromEntries(Object.entries(sketch).map(([state, one]) => [state, scene(one)])) as Row),
    stale: scene(OLD),
    offline: scene(CUT_OFF),
  };
}

/** A part of the page of one cluster. */
function tab(name: string, sketch: Partial<RowSketch> & Pick<RowSketch, "empty">): Row {
  return row(`/clusters/good/${name}`, {
    ...{ loading: BONES, filtered: NO_FILTER, error: REFUSED, forbidden: outOfScope, many: NOT_A_LIST },
    ...sketch,
  });
}

const EDITOR = {
  ...{ loading: BONES, empty: never("it begins with a document"), filtered: NO_FILTER, error: REFUSED },
  ...{ forbidden: viewer, many: NOT_A_LIST },
};

/** Every page of the app by the path of its route, with its parts; a route that is missing here fails the test. */
export const PAGES: Readonly<Record<string, Row>> = {
  "/overview": row("/overview", {
    ...{ loading: BONES, empty: empty((m) => m.first.title, { user: "nora" }), filtered: NO_FILTER, error: REFUSED },
    ...{
      forbidden: EVERYBODY,
      many: many(text((m) => m.overview.running(NUMBER.format(MANY + 1), NUMBER.format(MANY + 2)))),
    },
  }),
  "/clusters": row("/clusters", {
    ...{ loading: BONES, empty: empty((m) => m.first.title, { user: "nora" }), error: REFUSED, forbidden: EVERYBODY },
    filtered: { path: "/clusters?q=no-such-cluster", shows: text((m) => m.clusters.noMatchText) },
    many: many(text((m) => m.list.of(100, MANY + 2))),
  }),
  "/clusters (heatmap)": row("/clusters?view=heatmap", {
    ...{ loading: BONES, empty: empty((m) => m.first.title, { user: "nora" }), error: REFUSED, forbidden: EVERYBODY },
    filtered: { path: "/clusters?view=heatmap&q=no-such-cluster", shows: text((m) => m.list.noMatch) },
    // Axe compares the place of every link with those of all others.
    many: { ...many(text((m) => m.list.of(MANY + 2, MANY + 2))), alike: "main ul > li:nth-child(n+400)" },
  }),
  "/clusters/new": row("/clusters/new", EDITOR),
  "/clusters/$name/edit": row("/clusters/good/edit", EDITOR),
  "/clusters/$name/overview": tab("overview", {
    empty: empty((m) => m.cluster.noConditions, { path: "/clusters/waiting/overview" }),
  }),
  "/clusters/$name/spec": tab("spec", { empty: never("there is no cluster without a document") }),
  "/clusters/$name/diff": tab("diff", { empty: { shows: text((m) => m.cluster.noDiff) } }),
  "/clusters/$name/nodes": tab("nodes", {
    empty: empty((m) => m.errorCodes["cluster-not-ready"].title, { path: "/clusters/waiting/nodes" }),
    many: never("Kubernetes itself ends at five thousand nodes"),
  }),
  "/clusters/$name/jobs": tab("jobs", {
    empty: { fleet: "large", path: "/clusters/good-00001/jobs", shows: text((m) => m.jobs.none) },
    many: many(rows(100)),
  }),
  "/clusters/$name/history": tab("history", {
    empty: empty((m) => m.history.firstText, { path: "/clusters/waiting/history" }),
    many: never("it shows the hundred newest"),
  }),
  "/clusters/$name/events": tab("events", {
    empty: { fleet: "large", path: "/clusters/good-00001/events", shows: text((m) => m.events.none) },
    many: never("it shows five hundred"),
  }),
  "/clusters/$name/access": tab("access", {
    empty: { shows: text((m) => m.access.none) },
    forbidden: { user: "vic", shows: text((m) => m.access.forbidden) },
    many: WITH_PEOPLE,
  }),
  "/jobs": row("/jobs", {
    ...{ loading: BONES, empty: empty((m) => m.jobs.none, { user: "nora" }), error: REFUSED, forbidden: EVERYBODY },
    filtered: { path: "/jobs?kind=upgrade&state=Canceled", shows: text((m) => m.list.noMatch) },
    many: many(rows(100)),
  }),
  "/jobs/$id": row("/jobs/:job", {
    ...{ loading: BONES, empty: empty((m) => m.steps.none), filtered: NO_FILTER, error: REFUSED },
    forbidden: { user: "nora", shows: text((m) => m.errorCodes["job-not-found"].title) },
    many: many((page) => page.getByRole("log").getByText(`line ${MANY - 1} of a long log`)),
  }),
  "/batches": row("/batches", {
    ...{ loading: BONES, empty: empty((m) => m.batches.none), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: EVERYBODY, many: many(rows(100)) },
  }),
  "/batches/$id": row("/batches/:batch", {
    ...{ loading: BONES, empty: never("a batch of nothing is refused"), filtered: NO_FILTER, error: REFUSED },
    forbidden: { user: "nora", shows: text((m) => m.errorCodes["batch-not-found"].title) },
    many: many(text((m) => m.list.of(100, MANY + 1))),
  }),
  "/templates": row("/templates", {
    ...{ loading: BONES, empty: empty((m) => m.templates.none), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: EVERYBODY, many: WITH_PEOPLE },
  }),
  "/import": row("/import", {
    ...{ loading: READS_NOTHING, empty: READS_NOTHING, filtered: NO_FILTER, forbidden: viewer, many: NOT_A_LIST },
    error: {
      ...REFUSED,
      act: async (page) => {
        await page.getByRole("textbox", { name: "environments.csv" }).fill("name\none");
        await page.getByRole("button", { name: "Check only" }).last().click();
      },
    },
  }),
  "/consistency": row("/consistency", {
    ...{ loading: BONES, empty: empty((m) => m.consistency.none), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: EVERYBODY, many: many(text((m) => m.consistency.repairSafe(MANY))) },
  }),
  "/doctor": row("/doctor", {
    ...{ loading: BONES, empty: empty((m) => m.doctor.none), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: EVERYBODY, many: WITH_PEOPLE },
  }),
  "/machines": row("/machines", {
    ...{ loading: BONES, empty: empty((m) => m.machines.none), error: REFUSED, forbidden: EVERYBODY },
    filtered: { path: "/machines?q=no-such-machine", shows: text((m) => m.list.noMatch) },
    many: many(rows(100)),
  }),
  "/audit": row("/audit", {
    ...{ loading: BONES, empty: never("whoever looks has signed in, which is an entry"), error: REFUSED },
    filtered: { path: "/audit?objectName=no-such-object", shows: text((m) => m.list.noMatch) },
    ...{ forbidden: viewer, many: many(rows(200)) },
  }),
  "/settings/profile": row("/settings/profile", {
    ...{ loading: BONES, empty: never("whoever looks has a session"), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: EVERYBODY, many: NOT_A_LIST },
  }),
  "/settings/tokens": row("/settings/tokens", {
    ...{ loading: BONES, empty: empty((m) => m.tokens.none, { user: "nora" }), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: EVERYBODY, many: WITH_PEOPLE },
  }),
  "/settings/users": row("/settings/users", {
    ...{ loading: BONES, empty: never("whoever looks is a user"), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: viewer, many: WITH_PEOPLE },
  }),
  "/settings/roles": row("/settings/roles", {
    ...{ loading: READS_NOTHING, empty: READS_NOTHING, filtered: NO_FILTER, error: READS_NOTHING },
    ...{ forbidden: EVERYBODY, many: NOT_A_LIST },
  }),
  "/settings/workers": row("/settings/workers", {
    ...{ loading: BONES, empty: empty((m) => m.overview.noWorkers), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: EVERYBODY, many: WITH_PEOPLE },
  }),
  "/settings/options": row("/settings/options", {
    ...{ loading: BONES, empty: never("there are always options"), filtered: NO_FILTER, error: REFUSED },
    ...{ forbidden: viewer, many: NOT_A_LIST },
  }),
  "not found": row("/no/such/page", {
    ...{ loading: READS_NOTHING, empty: READS_NOTHING, filtered: NO_FILTER, error: READS_NOTHING },
    ...{ forbidden: EVERYBODY, many: NOT_A_LIST },
  }),
};

/** Routes that lead to another one, and those that only developers have. */
export const NO_PAGES: readonly string[] = ["/", "/login", "/clusters/$name", "/settings", "/gallery"];
