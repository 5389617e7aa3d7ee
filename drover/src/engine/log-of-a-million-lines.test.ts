import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { fakeStep } from "../../test/fake-step.ts";
import { sqliteSubject } from "../../test/store-world.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import { systemClock } from "../ports/clock.ts";
import type { Step, StepContext } from "../ports/step.ts";
import type { Store } from "../ports/store/index.ts";
import { declareAndClaim, type StoreWorld } from "../ports/store/world.conformance.ts";
import { systemTimer } from "../ports/timer.ts";
import { createLimits } from "./limits.ts";
import { LogBudget } from "./log-budget.ts";
import { runPlan } from "./run-plan.ts";

const LINES = 1_000_000;
const SECRET = "kubeconfig-Token_9f3a.7bD1";
/** Odd, so that pairs come to lie across the ends of writes of every size. */
const PAIR_EVERY = 997;
const BATCH_LINES = 4_096;

/** The secret stands whole in some lines, and in others broken at each of its characters in turn. */
function lineAt(index: number): string {
  const pair = Math.floor(index / PAIR_EVERY);
  const cut = 1 + (pair % (SECRET.length - 1));
  const place = index % PAIR_EVERY;
  if (place === 0) return `${index} ${SECRET.slice(0, cut)}`;
  if (place === 1) return SECRET.slice(cut);
  if (place === 2) return `${index} password=${SECRET};`;
  // Broken right where one write ends and the next begins.
  if (index % BATCH_LINES === BATCH_LINES - 1) return `${index} ${SECRET.slice(0, cut)}`;
  if (index % BATCH_LINES === 0 && index > 0)
    return SECRET.slice(1 + (Math.floor((index - 1) / PAIR_EVERY) % (SECRET.length - 1)));
  return `${index} of the log`;
}

async function writeAll(store: Store, budget: LogBudget): Promise<string> {
  const { ref, job, cluster } = await declareAndClaim(store);
  const step: Step = {
    name: "fake",
    precheck: async () => false,
    run: async (context: StepContext) => {
      for (let index = 0; index < LINES; index++) {
        context.log(lineAt(index));
        // As a program's output would: never more at once than the store keeps up with.
        if (index % 1_000 === 0)
          do await nextTurn();
          while (!budget.hasRoom);
      }
    },
    verify: async () => true,
  };
  const steps = [fakeStep("talk", [], { deadlineMs: 600_000 })];
  const plan = { pipeline: "create-cluster", specHash: "0".repeat(64), change: "in-place" as const, steps };
  const begun = steps.map(({ id, name, title, host }) => ({ stepId: id, name, title, host }));
  const records = await store.jobs.beginPlan(ref, { hash: "talk", body: {}, steps: begun });
  const mask = new SecretMask();
  mask.add(SECRET);
  const { outcome } = await runPlan({
    ...{ ref, job, cluster, plan, records, store, mask, steps: new Map([[step.name, step]]), random: () => 0 },
    ...{ clock: systemClock, timer: systemTimer, limits: createLimits(), logBudget: budget },
    connect: () => Promise.reject(new Error("There is no host to connect to.")),
    logTuning: { stepLines: 2 * LINES, stepChars: 1_000 * LINES, batchLines: BATCH_LINES },
  });
  expect(outcome).toEqual({ kind: "done" });
  return ref.jobId;
}

async function expectInOrder(store: Store, jobId: string): Promise<void> {
  const page = 20_000;
  let before = "";
  for (let from = 1; from <= LINES; from += page) {
    const lines = await store.read.readLog({ jobId, from, limit: page });
    expect(lines).toHaveLength(Math.min(page, LINES - from + 1));
    for (const [offset, { line, text }] of lines.entries()) {
      const index = from + offset - 1;
      if (line !== index + 1) throw new Error(`line ${line} stands where ${index + 1} should`);
      if ((before + text).includes(SECRET)) throw new Error(`line ${line} shows the secret: ${before} / ${text}`);
      const told = lineAt(index);
      if (told.startsWith(`${index} `) && !text.startsWith(`${index} `)) throw new Error(`${text} is not ${told}`);
      if (told === `${index} of the log` && text !== told) throw new Error(`${text} is not ${told}`);
      before = text;
    }
  }
}

/** Everything that the database has written, as bytes. */
function filesOf({ url }: StoreWorld): readonly Buffer[] {
  const file = url.replace(/^sqlite:/, "");
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
  return names.map((name) => readFileSync(join(dirname(file), name)));
}

it("a log of a million lines lies there in order, can be read from any line, and never shows a secret", async () => {
  const world = await sqliteSubject("libsql").create();
  try {
    const jobId = await writeAll(world.store, new LogBudget());
    expect(await world.store.read.lastLogLine(jobId)).toBe(LINES);
    await expectInOrder(world.store, jobId);
    for (const from of [1, 2, 4_096, 4_097, 123_456, 777_777, LINES - 1, LINES]) {
      const [first] = await world.store.read.readLog({ jobId, from, limit: 2 });
      expect(first?.line).toBe(from);
    }
    expect(await world.store.read.readLog({ jobId, from: LINES + 1, limit: 2 })).toEqual([]);
    const bytes = filesOf(world);
    expect(bytes.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(10 * LINES);
    for (const file of bytes) expect(file.includes(SECRET)).toBe(false);
    const [sample] = await world.store.read.readLog({ jobId, from: 3, limit: 1 });
    expect(sample?.text).toBe("2 password=***;");
  } finally {
    await world.dispose();
  }
}, 300_000);
