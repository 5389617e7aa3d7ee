import { ERRORS } from "@drover/contract";
import type { Page, Route } from "playwright-core";
import { problemDetails } from "../../../contract/src/routes/common.ts";
import { BLANK, type DressedPage } from "./dressed-page.ts";
import type { Fleet } from "./fleets.ts";
import type { Scene, State } from "./matrix.ts";

const API = /\/api\/v1\/(?!me$|events\/stream)/;
/** Longer than the page waits for a sign of life before it says that what it shows is old. */
const SILENT_MS = 35_000;

/** An error as the server sends it. */
function describeRefusal(): string {
  const { status, title, hint, retryable } = ERRORS["store-damaged"];
  const problem = {
    ...{
      type: "urn:drover:error:store-damaged",
      code: "store-damaged",
      requestId: "5f2c",
      status,
      title,
      hint,
      retryable,
    },
  };
  return JSON.stringify(problemDetails.parse(problem));
}

const REACH: Readonly<Partial<Record<State, (page: Page) => Promise<() => Promise<void>>>>> = {
  /** Nothing is answered, but who is signed in. */
  loading: async (page) => {
    const held: Route[] = [];
    await page.route(API, (route) => void held.push(route));
    return async () => {
      await page.goto(BLANK);
      await page.unroute(API);
      await Promise.all(held.map((route) => route.abort().catch(() => undefined)));
    };
  },
  error: async (page) => {
    const answer = { status: 500, contentType: "application/problem+json", body: describeRefusal() };
    await page.route(API, (route) => route.fulfill(answer));
    return async () => {
      await page.goto(BLANK);
      await page.unroute(API);
    };
  },
  /** For the page it is later than when the server was last heard of. */
  stale: async (page) => {
    await page.clock.setSystemTime(Date.now() + SILENT_MS);
    return async () => await page.clock.setSystemTime(Date.now());
  },
};

/** Brings a page into a state; gives back how to leave it. */
export async function reachState(
  dressed: DressedPage,
  state: State,
  { path, act }: Scene,
  ids: Fleet["ids"],
): Promise<() => Promise<void>> {
  const { page } = dressed;
  const leave = await REACH[state]?.(page);
  await dressed.goto(path.replace(/:(job|batch)/, (key) => ids[key as keyof Fleet["ids"]]));
  await act?.(page);
  if (state !== "offline") return leave ?? (async () => {});
  await page.locator("h1").first().waitFor();
  await page.locator("[data-loading=true]").first().waitFor({ state: "detached" });
  await dressed.learnLanguages();
  await page.context().setOffline(true);
  return async () => await page.context().setOffline(false);
}
