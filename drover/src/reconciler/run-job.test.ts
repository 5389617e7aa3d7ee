import { afterEach, beforeEach, expect, it } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { simulatedSpec } from "../../test/simulated-bench.ts";

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
