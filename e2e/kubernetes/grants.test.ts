import type { ClusterSpec } from "@drover/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KubernetesClient } from "../../drover/src/connectors/kubernetes/kubernetes-client.ts";
import { planGrant, planRevocation } from "../../drover/src/pipelines/change-access.ts";
import { systemClock } from "../../drover/src/ports/clock.ts";
import type { Provider, ProviderCluster } from "../../drover/src/ports/provider.ts";
import { systemTimer } from "../../drover/src/ports/timer.ts";
import { registerSteps } from "../../drover/src/steps/index.ts";
import { BenchLedger, StepBench } from "../../drover/test/step-bench.ts";
import { ApiServer } from "../crd/api-server.ts";

/* What the fake of the fast tests says about tokens that are bound to a secret, a real API server says, too. */

const cluster: ProviderCluster = {
  ...{ id: "0192-c1", name: "dev", generation: 1 },
  spec: { provider: "real" } as unknown as ClusterSpec,
};
const by = { type: "user", name: "ada" } as const;
const { signal } = new AbortController();
const noPrograms = { run: () => Promise.reject(new Error("No program is run here.")) };

let server: ApiServer;
let api: KubernetesClient;
let bench: StepBench;

beforeAll(async () => {
  server = await ApiServer.start();
  api = new KubernetesClient({ clock: systemClock, timer: systemTimer, programs: noPrograms });
  const provider = { id: "real", steps: [], kubeconfig: async () => server.kubeconfig() } as unknown as Provider;
  const parts = { providers: new Map([[provider.id, provider]]), clock: systemClock, timer: systemTimer };
  bench = new StepBench(registerSteps({ ...parts, kubernetes: api }), new BenchLedger(systemClock), systemTimer);
});

afterAll(async () => {
  await api.close();
  await server.stop();
});

const grant = async (id: string): Promise<string> => {
  const { plan } = planGrant({ specHash: "hash" }, { id, role: "viewer", lifetimeSeconds: 600, by });
  await bench.runSteps(cluster, plan.steps, { jobId: id, kind: "grant", token: 1 });
  return bench.ledger.kubeconfigs.find((kept) => kept.id === id)?.text ?? "";
};
const nodesWith = (kubeconfig: string) => api.get({ kubeconfig }, "/api/v1/nodes", signal);

it("makes kubeconfigs that work, may not change anything, end when they should, and are revoked one by one", async () => {
  const [one, two] = [await grant("g1"), await grant("g2")];
  const lifetime = (bench.ledger.kubeconfigs[0]?.expiresAt ?? 0) - Date.now();
  expect([lifetime > 500_000, lifetime <= 600_000]).toEqual([true, true]);
  expect(await nodesWith(one)).toMatchObject({ kind: "NodeList" });
  const removing = api.delete({ kubeconfig: one }, "/api/v1/nodes/n1", signal);
  await expect(removing).rejects.toMatchObject({ reason: "refused", status: 403 });
  const reading = api.get({ kubeconfig: one }, "/api/v1/secrets", signal);
  await expect(reading).rejects.toMatchObject({ reason: "refused", status: 403 });

  const { plan } = planRevocation({ specHash: "hash" }, { id: "g1", by });
  await nodesWith(one);
  await bench.runSteps(cluster, plan.steps, { jobId: "r1", kind: "revoke", token: 1 });
  await expect(nodesWith(one)).rejects.toMatchObject({ reason: "refused", status: 401 });
  expect(await nodesWith(two)).toMatchObject({ kind: "NodeList" });
});

it("leaves everything as it is when the same grant is made again", async () => {
  const { plan } = planGrant({ specHash: "hash" }, { id: "g3", role: "operator", lifetimeSeconds: 600, by });
  await bench.runSteps(cluster, plan.steps, { jobId: "g3", kind: "grant", token: 1 });
  bench.ledger.kubeconfigs.length = 0;
  await bench.runSteps(cluster, plan.steps, { jobId: "g3", kind: "grant", token: 1 });
  const refs = bench.ledger.list(cluster.id).map(({ ref }) => ref);
  expect(new Set(refs).size).toBe(refs.length);
  expect(await nodesWith(bench.ledger.kubeconfigs[0]?.text ?? "")).toMatchObject({ kind: "NodeList" });
});
