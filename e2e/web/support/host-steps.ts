import type { ROUTES, RouteAnswer } from "@drover/contract";
import type { Page } from "playwright-core";

type Graph = RouteAnswer<typeof ROUTES.jobs.getGraph>;
type Step = Graph["steps"][number];

const TITLES = ["Check", "Claim", "Prepare", "Bring programs and images", "Join", "Wait until it is ready"];
const LOST = { code: "machine-unreachable", message: "10.20.0.2:22 did not answer within 10 s." };
const FULL = { code: "step-failed", message: "No space left on device." };

const hostOf = (at: number): string =>
  `rack-${String(Math.floor(at / 20)).padStart(2, "0")}-${String(at % 20).padStart(2, "0")}`;

/** One machine is lost and one has failed, where there are enough; the others are at different steps. */
function describeStep(host: number, at: number, began: number): Step {
  const title = TITLES[at] ?? "";
  const stopped = host === 1 ? LOST : host === 4 ? FULL : null;
  const reached = stopped === null ? 2 + (host % 5) : 3;
  const isOver = at < reached;
  const isNow = at === reached;
  return {
    ...{ id: `machines/${title.toLowerCase()}/step/${hostOf(host)}`, title, host: hostOf(host), attempt: 1 },
    after: at === 0 ? [] : [`machines/${TITLES[at - 1]?.toLowerCase()}/step/${hostOf(host)}`],
    state: isOver ? (at === 0 ? "Skipped" : "Succeeded") : !isNow ? "Pending" : stopped === null ? "Running" : "Failed",
    startedTime: isOver || isNow ? new Date(began + at * 4_000).toISOString() : null,
    finishedTime: isOver ? new Date(began + at * 4_000 + 3_500).toISOString() : null,
    error: isNow ? stopped : null,
  };
}

/** From now on every job of this page works on so many machines: real ones would take an hour to get here. */
export async function showHosts(page: Page, hosts: number): Promise<void> {
  const began = Date.now() - 40_000;
  const steps = Array.from({ length: hosts }, (_, host) => TITLES.map((_title, at) => describeStep(host, at, began)));
  const graph: Graph = { planHash: "made-up", steps: steps.flat() };
  await page.route("**/api/v1/jobs/*/graph", (route) => route.fulfill({ json: graph }));
}
