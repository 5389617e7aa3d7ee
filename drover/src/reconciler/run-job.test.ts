import { DroverError } from "@drover/contract";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { simulatedSpec } from "../../test/simulated-bench.ts";
import type { Provider } from "../ports/provider.ts";
import type { Step } from "../ports/step.ts";

const ada = { type: "user", name: "ada" } as const;

let test: Awaited<ReturnType<typeof openTestApp>>;
beforeEach(async () => {
  test = await openTestApp();
});
afterEach(() => test.dispose());

it("does not try again what the provider cannot do at all", async () => {
  const spec = simulatedSpec();
  await test.store.desired.declareCluster({ name: "dev", spec, jobKind: "create", actor: ada });
  await test.settle();
  const { id } = await test.store.desired.requestJob({ clusterName: "dev", kind: "renew", actor: ada });
  await test.settle();
  const job = await test.store.read.getJob(id);
  expect(job).toMatchObject({ state: "Failed", attempt: 1, failures: 0, error: { code: "job-kind-unsupported" } });
});

it("does not try again what only somebody's doing can mend, whatever the retries", async () => {
  const changeProvider = (provider: Provider): Provider => ({ ...provider, steps: provider.steps.map(failing) });
  const { store, settle, dispose } = await openTestApp({ changeProvider });
  try {
    const { job } = await store.desired.declareCluster({
      name: "dev",
      spec: simulatedSpec(),
      jobKind: "create",
      actor: ada,
    });
    await settle();
    const ended = await store.read.getJob(job?.id ?? "");
    expect(ended).toMatchObject({ state: "Failed", attempt: 1, error: { code: "image-missing" } });
  } finally {
    await dispose();
  }
});

const failing = (step: Step): Step => ({
  ...step,
  precheck: async () => false,
  run: async () => {
    throw new DroverError("image-missing", "It cannot be pulled.");
  },
});
