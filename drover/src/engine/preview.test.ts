import type { ClusterSpec } from "@drover/contract";
import { describe, expect, it, vi } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import { SimulatedTime } from "../../test/simulated-time.ts";
import { type Plan, type PlanStep, planHash } from "../domain/plan.ts";
import { sha256 } from "../lib/sha256.ts";
import type { Step, StepContext } from "../ports/step.ts";
import { type PlanPreview, previewPlan } from "./preview.ts";

const planOf = (...steps: PlanStep[]): Plan => ({
  ...{ pipeline: "create-cluster", specHash: "0".repeat(64), change: "in-place" },
  steps,
});

/** Previews a plan of one step whose `run` is given. */
async function preview(
  run: (context: StepContext) => Promise<void>,
  rest: Partial<PlanStep> = {},
): Promise<PlanPreview> {
  const time = new SimulatedTime();
  const precheck = vi.fn(async () => false);
  const definition: Step = { name: "fake", precheck, run, undo: precheck as never };
  const shown = await time.run(
    previewPlan({
      plan: planOf(step("a", [], rest)),
      steps: new Map([["fake", definition]]),
      cluster: { id: "cluster-1", name: "dev", generation: 1, spec: {} as ClusterSpec },
      kind: "create",
      timer: time,
    }),
  );
  expect(precheck).not.toHaveBeenCalled();
  expect(time.waiting).toBe(0);
  return shown;
}

const changesOf = ({ plan }: PlanPreview): readonly string[] => plan.steps[0]?.changes ?? [];

describe("a preview", () => {
  it("says what each step would change, and does none of it", async () => {
    const work = vi.fn(async () => {});
    const shown = await preview(async (context) => {
      await context.change("local", "Create the network kind", work);
      await context.change("node-1", "Start the node", work);
    });
    expect(changesOf(shown)).toEqual(["Create the network kind", "node-1: Start the node"]);
    expect(shown.unclear).toEqual([]);
    expect(work).not.toHaveBeenCalled();
  });

  it("is the very plan that will run: its hash does not change", async () => {
    const shown = await preview((context) => context.change("local", "Create it", async () => {}));
    expect(planHash(shown.plan, sha256)).toBe(planHash(planOf(step("a")), sha256));
  });

  it.each<[string, (context: StepContext) => Promise<unknown>]>([
    ["A preview does not connect to hosts.", (context) => context.connect("node-1")],
    ["A preview does not read secrets.", (context) => context.readSecret("cluster/dev", "key")],
    [
      "A preview does not write to the ledger.",
      (context) => context.ledger.intend({ system: "x", kind: "y", ref: "z" }),
    ],
    ["A preview does not write to the ledger.", (context) => context.ledger.present("object-1")],
    ["A preview does not write to the ledger.", (context) => context.ledger.gone("object-1")],
  ])("refuses any other effect: %s", async (message, effect) => {
    const shown = await preview(async (context) => {
      await context.change("local", "Do the first thing", async () => {});
      await effect(context);
      await context.change("local", "Never said", async () => {});
    });
    expect(changesOf(shown)).toEqual(["Do the first thing"]);
    expect(shown.unclear).toEqual([{ stepId: "a", reason: `${message} Do it inside change(), or in precheck().` }]);
  });

  it("lets steps look into the ledger, log and hide secrets", async () => {
    const shown = await preview(async (context) => {
      expect(await context.ledger.list()).toEqual([]);
      context.mask("hunter2");
      context.log("hello");
      context.progress(50);
      await context.change("local", "Set the password to hunter2", async () => {});
    });
    expect(changesOf(shown)).toEqual(["Set the password to ***"]);
  });

  it("keeps what the pipeline says of a step that says nothing", async () => {
    expect(changesOf(await preview(async () => {}, { changes: ["Wait for the nodes"] }))).toEqual([
      "Wait for the nodes",
    ]);
  });

  it("does not wait for a step that hangs, nor listens to what it says later", async () => {
    let late: StepContext | undefined;
    const shown = await preview((context) => {
      late = context;
      return new Promise(() => {});
    });
    expect(shown.unclear).toEqual([{ stepId: "a", reason: "It did not say what it would do within 5 s." }]);
    expect(late?.signal.aborted).toBe(true);
    await expect(late?.change("local", "Too late", async () => {})).rejects.toThrow("after it has ended");
  });

  it("says which step it does not know, and goes on", async () => {
    const shown = await preview(async () => {}, { name: "install-etcd" });
    expect(shown.unclear).toEqual([{ stepId: "a", reason: "This program does not know the step install-etcd." }]);
  });

  it("survives a step that throws at once", async () => {
    const shown = await preview(() => {
      throw new TypeError("spec.nodes is not iterable");
    });
    expect(shown.unclear).toEqual([{ stepId: "a", reason: "spec.nodes is not iterable" }]);
  });
});
