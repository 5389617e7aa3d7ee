import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fieldsAt, textAt } from "../domain/json-fields.ts";
import type { KubernetesApi, KubernetesTarget } from "./kubernetes-api.ts";

/** An API server that nobody else uses during a test; nothing but the API itself is behind it. */
export interface KubernetesWorld {
  readonly api: KubernetesApi;
  readonly target: KubernetesTarget;
  /** The same server with credentials that it does not know. */
  readonly stranger: KubernetesTarget;
  /** A server that is not there. */
  readonly nowhere: KubernetesTarget;
  dispose(): Promise<void>;
}

export interface KubernetesSubject {
  readonly name: string;
  create(): Promise<KubernetesWorld>;
}

const NODES = "/api/v1/nodes";
const PODS = "/api/v1/namespaces/default/pods";
const { signal } = new AbortController();

/** What every implementation promises, and what the API servers behind it really do. */
export function kubernetesApiConformance(subject: KubernetesSubject): void {
  describe(`${subject.name} as a Kubernetes API`, () => {
    let world: KubernetesWorld;
    beforeEach(async () => {
      world = await subject.create();
    });
    afterEach(async () => {
      await world.dispose();
    });

    const look = (thorough = true) => world.api.look(world.target, { thorough, signal });

    async function addNode(name: string): Promise<void> {
      await world.api.post(world.target, NODES, { apiVersion: "v1", kind: "Node", metadata: { name } }, signal);
      const status = {
        capacity: { cpu: "2", memory: "4Gi", pods: "110" },
        conditions: [{ type: "Ready", status: "True", reason: "Ready", message: "" }],
        nodeInfo: { kubeletVersion: "v1.34.0" },
      };
      await world.api.patch(world.target, `${NODES}/${name}/status`, { status }, { signal });
      // A new node is tainted until a controller, which is not here, finds it ready.
      await world.api.patch(world.target, `${NODES}/${name}`, { spec: { taints: null } }, { signal });
    }

    async function addPod(name: string, node: string): Promise<void> {
      const container = { name: "c", image: "i", resources: { requests: { cpu: "500m", memory: "64Mi" } } };
      const spec = { nodeName: node, containers: [container], terminationGracePeriodSeconds: 0 };
      const metadata = { name, namespace: "default" };
      await world.api.post(world.target, PODS, { apiVersion: "v1", kind: "Pod", metadata, spec }, signal);
    }

    test("says that it is ready, its version, and when its certificate ends", async () => {
      const seen = await look();
      expect(seen).toMatchObject({ ready: true, version: expect.stringMatching(/^v1\.\d+\.\d+/), withheld: [] });
      expect(seen.endpoint).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
      expect(seen.certificates.server).toBeGreaterThan(Date.now());
    });

    test("shows nodes with what they have, and what the pods on them ask for", async () => {
      await addNode("n1");
      await addPod("p1", "n1");
      const seen = await look();
      expect(seen.nodes).toEqual([
        {
          ...{ name: "n1", status: "Ready", roles: ["worker"], version: "v1.34.0", address: null },
          cpu: { capacity: 2, used: 0.5 },
          memory: { capacity: 4_294_967_296, used: 67_108_864 },
          pods: { capacity: 110, used: 1 },
        },
      ]);
      expect(seen.useFrom).toBe("requests");
    });

    test("tells a cordoned node from a drained one", async () => {
      await addNode("n1");
      await addPod("p1", "n1");
      await world.api.patch(world.target, `${NODES}/n1`, { spec: { unschedulable: true } }, { signal });
      expect((await look()).nodes[0]?.status).toBe("Cordoned");
      expect(await world.api.delete(world.target, `${PODS}/p1`, signal)).toBe(true);
      expect((await look()).nodes[0]?.status).toBe("Drained");
    });

    test("says the same in a quick look as in the thorough one before it", async () => {
      await addNode("n1");
      const thorough = await look();
      expect(await look(false)).toEqual(thorough);
    });

    test("evicts a pod once, and then says that there is none", async () => {
      await addNode("n1");
      await addPod("p1", "n1");
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p1", namespace: "default" } };
      const evict = () => world.api.post(world.target, `${PODS}/p1/eviction`, eviction, signal);
      await evict();
      expect(await world.api.get(world.target, `${PODS}/p1`, signal)).toBeNull();
      await expect(evict()).rejects.toMatchObject({ reason: "refused", status: 404 });
    });

    test("makes an object once, changes it, and removes it once", async () => {
      const at = "/api/v1/namespaces/default/serviceaccounts";
      const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "s1", namespace: "default" } };
      expect(await world.api.get(world.target, `${at}/s1`, signal)).toBeNull();
      await world.api.post(world.target, at, account, signal);
      await expect(world.api.post(world.target, at, account, signal)).rejects.toMatchObject({ status: 409 });
      const labels = { "drover.dev/test": "yes" };
      await world.api.patch(world.target, `${at}/s1`, { metadata: { labels } }, { signal });
      const changed = await world.api.get(world.target, `${at}/s1`, signal);
      expect(fieldsAt(changed, "metadata", "labels")).toEqual(labels);
      expect(await world.api.delete(world.target, `${at}/s1`, signal)).toBe(true);
      expect(await world.api.delete(world.target, `${at}/s1`, signal)).toBe(false);
    });

    test("applies what is not there, and the same again", async () => {
      const at = "/apis/rbac.authorization.k8s.io/v1/clusterroles/drover-test";
      const role = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name: "drover-test" },
        rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
      };
      const first = await world.api.patch(world.target, at, role, { apply: true, signal });
      const again = await world.api.patch(world.target, at, role, { apply: true, signal });
      expect(textAt(again, "metadata", "uid")).toBe(textAt(first, "metadata", "uid"));
      await world.api.delete(world.target, at, signal);
    });

    test("says that it was refused when the API does not know the credentials", async () => {
      const asked = world.api.get(world.stranger, NODES, signal);
      await expect(asked).rejects.toMatchObject({ reason: "refused", status: 401 });
    });

    test("says that nobody answers when nobody does", async () => {
      const asked = world.api.look(world.nowhere, { thorough: true, signal });
      await expect(asked).rejects.toMatchObject({ reason: "unreachable", status: null });
    });

    test("refuses to change what is not there", async () => {
      const changed = world.api.patch(world.target, `${NODES}/none`, { spec: { unschedulable: true } }, { signal });
      await expect(changed).rejects.toMatchObject({ reason: "refused", status: 404 });
    });

    test("stops at once when it is told to", async () => {
      const stop = new AbortController();
      const asked = world.api.look(world.target, { thorough: true, signal: stop.signal });
      stop.abort(new Error("No longer wanted."));
      await expect(asked).rejects.toThrow("No longer wanted.");
    });
  });
}
