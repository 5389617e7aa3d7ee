import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { postgresSubject, sqliteSubject } from "../../test/store-world.ts";
import { waitFor } from "../../test/wait-for.ts";
import { cancelJob } from "../app/change-cluster.ts";
import { readDocuments } from "../app/read-documents.ts";
import type { Provider } from "../ports/provider.ts";
import type { Step } from "../ports/step.ts";
import { specWith } from "../ports/store/world.conformance.ts";
import { systemTimer, type Timer } from "../ports/timer.ts";
import { makeLocalConnector } from "./connect-to-host.ts";

const ada = { type: "user", name: "ada" } as const;
/** What a step has to stop; longer than any test, so that the program has to be killed before somebody gives it up. */
const GRACE_MS = 3_600_000;
/** What the program has. */
const PROGRAM_GRACE_MS = 2_000;
/** Over when a test says so. */
const DEADLINE_MS = 7_200_000;

/** Three generations, none of which ends when it is asked to. Each says its own number. */
const STUBBORN = [
  "trap '' TERM INT HUP; echo $$",
  `sh -c 'trap "" TERM INT HUP; echo $$; sh -c "trap \\"\\" TERM INT HUP; echo \\$\\$; while :; do sleep 1; done" & while :; do sleep 1; done' &`,
  "while :; do sleep 1; done",
].join("\n");

const runStubborn = (pids: number[]): ((provider: Provider) => Provider) => {
  const step: Step = {
    name: "run-stubborn-program",
    precheck: async () => false,
    run: async (context) => {
      const connector = await context.connect("local");
      await context.change("local", "Run a program that does not want to end", async () => {
        const onLine = (line: string): void => {
          context.log(line);
          pids.push(Number(line));
        };
        await connector.run({ argv: ["sh", "-c", STUBBORN] }, { onLine });
      });
    },
    verify: async () => true,
  };
  const use = {
    step: step.name,
    title: "Run a program",
    deadlineMs: DEADLINE_MS,
    retry: { attempts: 1, baseMs: 1, capMs: 1 },
  };
  return (provider) => ({
    ...provider,
    steps: [...provider.steps, step],
    plan: () => [{ title: "Programs", tasks: [{ title: "Program", steps: [use] }] }],
  });
};

/** A process that has ended but was not counted yet by its parent is dead. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !"ZX".includes(stat.charAt(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

describe.each([sqliteSubject("libsql"), postgresSubject])("a program that does not end, on $name", (subject) => {
  async function runUntilStarted() {
    const database = await subject.create();
    const pids: number[] = [];
    const deadlines: (() => void)[] = [];
    const engineTimer: Timer = {
      after: (ms, callback) => {
        if (ms === DEADLINE_MS) deadlines.push(callback);
        return systemTimer.after(ms, callback);
      },
    };
    const test = await openTestApp({
      store: database.store,
      changeProvider: runStubborn(pids),
      engineTimer,
      connect: async () =>
        makeLocalConnector({ environment: { PATH: process.env.PATH }, stepGraceMs: PROGRAM_GRACE_MS }),
      stepGraceMs: GRACE_MS,
    });
    const stop = test.start();
    const { job } = await test.store.desired.declareCluster({
      ...{ name: "dev", spec: specWith(1), jobKind: "create", actor: ada },
    });
    const jobId = job?.id ?? "";
    await waitFor(() => expect(pids).toHaveLength(3));
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    const dispose = async () => {
      await stop();
      await database.dispose();
    };
    const endTime = () => {
      for (const deadline of deadlines) deadline();
    };
    return { ...test, jobId, pids, dispose, endTime };
  }

  it("is killed with its grandchildren when its job is cancelled, before its step is given up", async () => {
    const { app, store, jobId, pids, dispose } = await runUntilStarted();
    await cancelJob(app, { jobId, actor: ada });
    await waitFor(async () => expect((await store.read.getJob(jobId))?.state).toBe("Canceled"));
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    const [step] = await store.read.listSteps(jobId);
    // Had it taken longer than the grace, it would be recorded as not stopping.
    expect(step).toMatchObject({ state: "Canceled", error: { code: "step-canceled" } });
    expect(await store.read.getJob(jobId)).toMatchObject({ error: { code: "job-taken-back" } });
    await dispose();
  });

  it("is killed with its grandchildren at the deadline of its step, which is recorded as too slow", async () => {
    const { store, jobId, pids, dispose, endTime } = await runUntilStarted();
    endTime();
    const stepOf = async () => (await store.read.listSteps(jobId))[0];
    await waitFor(async () => expect((await stepOf())?.state).toBe("Failed"));
    expect(await stepOf()).toMatchObject({ error: { code: "step-timed-out" } });
    expect(pids.slice(0, 3).map(isAlive)).toEqual([false, false, false]);
    await cancelJob(
      {
        store,
        providers: new Map(),
        timer: systemTimer,
        readDocuments: async (text) => readDocuments(text),
        describeChanges: async (plan) => plan,
      },
      { jobId, actor: ada },
    );
    await dispose();
  });
});
