import { expect, it } from "vitest";
import { waitFor } from "../../test/wait-for.ts";
import { LeaseLost } from "../engine/stop-reasons.ts";
import type { ClaimedJob, JobProgress, JobRef, Store } from "../ports/store/index.ts";
import { systemTimer } from "../ports/timer.ts";
import { JobLoop } from "./job-loop.ts";

const worker = { id: "w1", host: "h1", providers: ["simulated"], hostBound: [] };
const options = { maxJobs: 2, leaseMs: 30, idleMs: 5, drainMs: 0 };

const claim = (token: number): ClaimedJob =>
  ({ ref: { jobId: "job-1", token }, job: { id: "job-1", cancelRequestedAt: null } }) as ClaimedJob;

function fakeStore(claims: readonly (readonly ClaimedJob[])[]) {
  const left = [...claims];
  const renewed: { readonly ref: JobRef; readonly progress: JobProgress | undefined }[] = [];
  let tellRenewed = () => {};
  const onceRenewed = new Promise<void>((resolve) => {
    tellRenewed = resolve;
  });
  const jobs: Partial<Store["jobs"]> = {
    claimJobs: async () => left.shift() ?? [],
    nextClaimIn: async () => null,
    releaseJobs: async () => {},
    renewLeases: async (refs, _leaseMs, progress) => {
      renewed.push(...refs.map((ref) => ({ ref, progress: progress?.get(ref.jobId) })));
      if (renewed.length > 0) tellRenewed();
      return refs.map((ref) => ({ ref, cancelRequested: false, cancelRequestedBy: null, cancelUndo: false }));
    },
  };
  const wake: Store["wake"] = { onWake: () => () => {} };
  return { store: { jobs: jobs as Store["jobs"], wake }, renewed, onceRenewed };
}

async function runLoop(
  claims: readonly (readonly ClaimedJob[])[],
  makeRunJob: (onceRenewed: Promise<void>) => ConstructorParameters<typeof JobLoop>[0]["runJob"],
  until: (renewed: ReturnType<typeof fakeStore>["renewed"]) => void,
) {
  const { store, renewed, onceRenewed } = fakeStore(claims);
  const runJob = makeRunJob(onceRenewed);
  const stop = new AbortController();
  const errors: unknown[] = [];
  const onError = (_: string, error: unknown) => void errors.push(error);
  const loop = new JobLoop({ store, worker, timer: systemTimer, options, runJob, onError });
  const running = loop.run(stop.signal);
  await waitFor(() => until(renewed));
  stop.abort();
  await running;
  expect(errors).toEqual([]);
}

const untilAborted = (signals: readonly AbortSignal[]) =>
  new Promise<void>((resolve) => {
    AbortSignal.any([...signals]).addEventListener("abort", () => resolve());
  });

it("keeps alive a job that it lost and took again, and ends what it did for it before", async () => {
  const reasons: unknown[] = [];
  let [running, most] = [0, 0];
  const runJob = async (_: ClaimedJob, signals: readonly AbortSignal[]) => {
    running += 1;
    most = Math.max(most, running);
    await untilAborted(signals);
    reasons.push(signals.find(({ aborted }) => aborted)?.reason);
    // It takes a moment to end.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await runLoop(
    [[claim(1)], [claim(2)]],
    () => runJob,
    (renewed) => expect(renewed.filter(({ ref }) => ref.token === 2).length).toBeGreaterThan(4),
  );
  expect(reasons[0]).toBeInstanceOf(LeaseLost);
  expect(most).toBe(1);
});

it("tells how far a job is with each prolonging of its lease", async () => {
  let percent = 0;
  const makeRunJob =
    (onceRenewed: Promise<void>) =>
    async (_: ClaimedJob, signals: readonly AbortSignal[], showProgress: (read: () => JobProgress) => void) => {
      await onceRenewed;
      showProgress(() => ({ percent: percent++, remainingMs: null }));
      await untilAborted(signals);
    };
  await runLoop([[claim(1)]], makeRunJob, (renewed) => {
    expect(renewed[0]?.progress).toBeUndefined();
    expect(renewed.at(-1)?.progress?.percent).toBeGreaterThan(2);
  });
});
