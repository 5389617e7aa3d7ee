import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { simulatedSpec } from "../../test/simulated-bench.ts";
import { waitFor } from "../../test/wait-for.ts";
import { type ShownJob, showJob } from "./show-job.ts";

const ada = { type: "user", name: "ada" } as const;
/** Short, so that how far a job is gets written down several times while it runs. */
const LEASE_MS = 600;

describe("a job as it is shown", () => {
  let test: Awaited<ReturnType<typeof openTestApp>>;
  beforeEach(async () => {
    test = await openTestApp({ leaseMs: LEASE_MS });
  });
  afterEach(() => test.dispose());

  async function watch(name: string): Promise<readonly ShownJob[]> {
    const latency = { minimumMs: 150, maximumMs: 150 };
    const spec = simulatedSpec({ workers: 2, latency });
    const { job } = await test.store.desired.declareCluster({ name, spec, jobKind: "create", actor: ada });
    const seen: ShownJob[] = [];
    await waitFor(async () => {
      seen.push(await showJob(test.app, job?.id ?? ""));
      expect(seen.at(-1)?.state).toBe("Succeeded");
    });
    return seen;
  }

  it("tells how far it is while it runs, never less than before, and how long it takes once that is known", async () => {
    const stop = test.start();
    const first = await watch("first");
    const second = await watch("second");
    await stop();
    for (const seen of [first, second]) {
      const percents = seen.map(({ percent }) => percent ?? 0);
      expect(percents).toEqual(percents.toSorted((left, right) => left - right));
      expect(percents.at(-1)).toBe(100);
      expect(percents.some((percent) => percent > 0 && percent < 100)).toBe(true);
      expect(seen.at(-1)?.secondsLeft).toBeNull();
    }
    expect(second.some(({ state, secondsLeft }) => state === "Processing" && secondsLeft !== null)).toBe(true);
  });

  it("is refused where there is none", async () => {
    await expect(showJob(test.app, "none")).rejects.toMatchObject({ code: "job-not-found" });
  });
});
