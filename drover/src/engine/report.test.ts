import { describe, expect, it } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import { FakeJob } from "../../test/run-fake-plan.ts";
import type { JobReport } from "../domain/job-report.ts";
import { type Plan, planHash } from "../domain/plan.ts";
import { renderDuration, renderReportMarkdown } from "../domain/render-report.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import { sha256 } from "../lib/sha256.ts";
import type { PlanOutcome } from "./plan-outcome.ts";
import { buildReport } from "./report.ts";
import { CancelRequested } from "./stop-reasons.ts";

const job = { id: "job-1", kind: "create", attempt: 2, generation: 3, clusterName: "dev" } as const;

function reportOf(fake: FakeJob, result: PlanOutcome, mask = new SecretMask()): JobReport {
  const plan: Plan = { pipeline: "create-cluster", specHash: "0".repeat(64), change: "in-place", steps: fake.steps };
  return buildReport({ job, plan, planHash: planHash(plan, sha256), result, mask });
}

const steps = [
  step("early", [], { title: "Write a note", host: "node-2" }),
  step("etcd", [], { title: "Install etcd", host: "node-1", retry: { attempts: 2, baseMs: 1_000, capMs: 1_000 } }),
  step("api", ["etcd"], { title: "Start the API | server", host: "node-1" }),
  step("join", ["api"], { title: "Join", host: "node-2" }),
  step("pull", [], { title: "Pull images", host: "node-2" }),
];

async function failedJob(mask = new SecretMask()): Promise<JobReport> {
  const fake = new FakeJob(steps, {
    early: { runs: ["throws"], durationMs: 5 },
    etcd: {
      runs: ["throws"],
      act: (context) => {
        context.mask("hunter2");
        context.log("starting with hunter2");
        context.log("```\npanic: disk full");
      },
    },
    pull: { durationMs: 7_000 },
  });
  return reportOf(fake, await fake.run({ mask }), mask);
}

describe("the report of a job", () => {
  it("names the first failure that others depend on as the root cause, with its last words", async () => {
    const report = await failedJob();
    expect(report.rootCause).toEqual({
      stepId: "etcd",
      title: "Install etcd",
      host: "node-1",
      code: "step-failed",
      message: "etcd is broken",
      hint: "Read the last lines of its log, remove the cause, and retry the job: it goes on at this step.",
      blocked: ["api", "join"],
      lastLines: [
        "starting with ***",
        "```",
        "panic: disk full",
        "Attempt 1 of 2 failed: etcd is broken",
        "The next one begins in 1.0 s.",
        "starting with ***",
        "```",
        "panic: disk full",
        "It failed: etcd is broken",
      ],
    });
    expect(report.message).toBe('Failed: "Install etcd" on node-1: etcd is broken');
  });

  it("falls back to the first failure when nothing depends on any", async () => {
    const fake = new FakeJob([step("a"), step("b")], {
      a: { runs: ["throws"], durationMs: 50 },
      b: { runs: ["throws"] },
    });
    expect(reportOf(fake, await fake.run()).rootCause?.stepId).toBe("b");
  });

  it("counts by state and by host, and tells how long things took", async () => {
    const report = await failedJob();
    expect(report.counts).toMatchObject({ Succeeded: 1, Failed: 2, Blocked: 2, Skipped: 0 });
    expect(report.hosts).toMatchObject([
      { host: "node-1", counts: { Failed: 1, Blocked: 1 } },
      { host: "node-2", counts: { Succeeded: 1, Failed: 1, Blocked: 1 }, busyMs: 7_005 },
    ]);
    expect(report.durationMs).toBe(7_000);
    expect(report.slowest[0]).toEqual({ stepId: "pull", durationMs: 7_000 });
    expect(report.steps.find(({ stepId }) => stepId === "etcd")).toMatchObject({ attempts: 2, state: "Failed" });
    expect(report.planHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("tells what was skipped and what was taken back", async () => {
    const fake = new FakeJob([step("a"), step("b", ["a"]), step("c", ["b"])], {
      a: { asWanted: true },
      c: { runs: ["hangs"] },
    });
    const controller = new AbortController();
    fake.time.after(100, () => controller.abort(new CancelRequested("ada", { undo: true })));
    const report = reportOf(fake, await fake.run({ signals: [controller.signal] }));
    const message = "Cancelled by ada. What it had done was taken back.";
    expect(report).toMatchObject({ outcome: "cancelled", message, rootCause: null });
    expect(report.cancellation).toEqual({ effect: "taken-back", notDone: ["c"], left: [] });
    expect(report.undone).toEqual([
      { title: "c", host: "local", error: null },
      { title: "b", host: "local", error: null },
    ]);
    expect(report.counts).toMatchObject({ Skipped: 1, Succeeded: 1, Canceled: 1 });
    expect(renderReportMarkdown(report)).toContain("| b | local | taken back |");
  });

  it("is plain JSON without secrets, also those that were named after the fact", async () => {
    const mask = new SecretMask();
    mask.add("disk full");
    const report = await failedJob(mask);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(JSON.stringify(report)).not.toMatch(/hunter2|disk full/);
  });

  it("reads as Markdown, root cause first, with nothing that could break out of it", async () => {
    const markdown = renderReportMarkdown(await failedJob());
    expect(markdown.split("\n").slice(0, 10)).toEqual([
      "# dev: create failed",
      "",
      'Failed: "Install etcd" on node-1: etcd is broken',
      "",
      "## Root cause",
      "",
      "**Install etcd** on node-1 failed (step-failed):",
      "",
      "```",
      "etcd is broken",
    ]);
    expect(markdown).toContain("````\nstarting with ***\n```\npanic: disk full");
    expect(markdown).toContain("Not run because of it: Start the API \\| server, Join.");
    expect(markdown).toContain("| Start the API \\| server | node-1 | Blocked | 0 |  |  |");
    expect(markdown).toContain("| Took | 7.0 s |");
    expect(markdown.endsWith("\n")).toBe(true);
  });
});

it("names durations as people do", () => {
  expect([999, 59_999, 60_000, 3_599_999, 3_600_000].map(renderDuration)).toEqual([
    "999 ms",
    "59.9 s",
    "1 min 0 s",
    "59 min 59 s",
    "1 h 0 min",
  ]);
});
