import type { ClusterSpec } from "@drover/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeKubernetes } from "../../../test/fake-kubernetes/fake-kubernetes.ts";
import { newClient } from "../../../test/fake-kubernetes/new-client.ts";
import { planSteps } from "../../domain/pipeline.ts";
import type { Provider, ProviderCluster } from "../../ports/provider.ts";
import { makeImportedProvider } from "./provider.ts";

const { signal } = new AbortController();
const thorough = { signal, thorough: true };
let fake: FakeKubernetes;
let kubernetes: ReturnType<typeof newClient>;
let secrets: Map<string, Record<string, string>>;
let provider: Provider;

beforeEach(async () => {
  fake = await FakeKubernetes.start({ version: "v1.33.1" });
  fake.objects.addNode("n1", { roles: ["control-plane"] });
  kubernetes = newClient();
  secrets = new Map([["prod", { kubeconfig: fake.kubeconfig() }]]);
  provider = makeImportedProvider({
    kubernetes,
    readSecret: async (owner, name) => {
      const entries = secrets.get(name);
      return owner === "named" && entries !== undefined ? Buffer.from(JSON.stringify(entries)) : null;
    },
  });
});

afterEach(async () => {
  await kubernetes.close();
  await fake.stop();
});

function cluster(name = "prod", more: Partial<NonNullable<ClusterSpec["imported"]>> = {}): ProviderCluster {
  const imported = { kubeconfig: { name: "prod", key: "kubeconfig" }, locked: true, ...more };
  return { id: `id-${name}`, name, generation: 1, spec: { provider: "imported", imported } as unknown as ClusterSpec };
}

describe("an imported cluster", () => {
  it("is seen with its version, nodes and certificates, and has no drift", async () => {
    const [seen] = await provider.observe([cluster()], thorough);
    expect(seen).toMatchObject({
      ...{ presence: "present", complete: true, reachable: true, drift: [], kubernetesVersion: "v1.33.1" },
      ...{ nodesReady: 1, nodesTotal: 1, endpoint: fake.server },
      body: { nodes: [{ name: "n1", roles: ["control-plane"] }], certificates: { server: expect.any(String) } },
    });
  });

  it("is there but does not answer while it is away, and answers again by itself", async () => {
    await provider.observe([cluster()], thorough);
    await fake.stop();
    const [away] = await provider.observe([cluster()], thorough);
    expect(away).toMatchObject({
      presence: "present",
      reachable: false,
      message: expect.stringMatching(/cannot be used/),
    });
    expect(away).toMatchObject({ kubernetesVersion: "v1.33.1", nodesReady: 0, nodesTotal: 1 });
    expect(away?.body["nodes"]).toMatchObject([{ name: "n1", status: "Unknown" }]);
    await fake.listen();
    const [back] = await provider.observe([cluster()], thorough);
    expect(back).toMatchObject({ reachable: true, nodesTotal: 1 });
  });

  it("is not written to by looks and plans", async () => {
    await provider.observe([cluster()], thorough);
    for (const kind of ["import", "update", "repair", "delete"] as const) {
      provider.plan(cluster(), { kind, observed: (await provider.observe([cluster()], thorough))[0] as never });
    }
    expect(fake.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });

  it("does not answer, with the reason, when its secret is gone or has no such entry", async () => {
    const clusters = [
      cluster("a", { kubeconfig: { name: "gone", key: "kubeconfig" } }),
      cluster("b", { kubeconfig: { name: "prod", key: "other" } }),
    ];
    const seen = await provider.observe(clusters, thorough);
    expect(seen.map(({ presence, reachable, message }) => [presence, reachable, message])).toEqual([
      ["present", false, 'The secret "gone" with its kubeconfig is not there.'],
      ["present", false, 'The secret "prod" has no entry "other" with its kubeconfig.'],
    ]);
  });

  it("with a dangerous kubeconfig is not connected to, unless it is allowed", async () => {
    secrets.set("prod", { kubeconfig: fake.kubeconfig({ cluster: { "insecure-skip-tls-verify": true } }) });
    const [refused] = await provider.observe([cluster()], thorough);
    expect(refused).toMatchObject({ reachable: false, message: expect.stringContaining("allow.insecureTls") });
    expect(fake.requests).toEqual([]);
    const [allowed] = await provider.observe([cluster("prod", { allow: { insecureTls: true } })], thorough);
    expect(allowed?.reachable).toBe(true);
  });

  it("is not known when the look was called off", async () => {
    const seen = await provider.observe([cluster()], { signal: AbortSignal.abort(), thorough: true });
    expect(seen.map(({ presence }) => presence)).toEqual(["unknown"]);
  });

  it("has a plan that only connects, and for its end one that removes what is ours", async () => {
    const [observed] = await provider.observe([cluster()], thorough);
    const plan = (kind: "import" | "delete") =>
      planSteps({ name: kind, modules: provider.plan(cluster(), { kind, observed: observed as never }) });
    expect(plan("import").map(({ name }) => name)).toEqual(["connect-imported-cluster"]);
    expect(plan("delete").map(({ name }) => name)).toEqual(["remove-own-objects"]);
  });

  it("gives out the kubeconfig that it was imported with", async () => {
    expect(await provider.kubeconfig(cluster(), signal)).toBe(secrets.get("prod")?.["kubeconfig"]);
    secrets.clear();
    await expect(provider.kubeconfig(cluster(), signal)).rejects.toMatchObject({ code: "cluster-not-ready" });
  });
});
