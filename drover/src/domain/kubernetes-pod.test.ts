import { describe, expect, it } from "vitest";
import { mustLeave, podSeenOf } from "./kubernetes-pod.ts";

const NOW = Date.parse("2026-01-01T01:00:00Z");
const pod = (status: unknown, more: Record<string, unknown> = {}) => ({
  metadata: { name: "p", namespace: "n", creationTimestamp: "2026-01-01T00:00:00Z", ...more },
  spec: {},
  status,
});
const owned = (kind: string) => ({ ownerReferences: [{ kind, name: "o", controller: true }] });
const unwell = (status: unknown, more: Record<string, unknown> = {}) => podSeenOf(pod(status, more), NOW).unwell;
const notReady = [{ type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:00:00Z" }];

describe("a pod that is not well", () => {
  it.each<[string, unknown, string | null]>([
    ["runs", { phase: "Running", conditions: [{ type: "Ready", status: "True" }] }, null],
    ["has ended", { phase: "Succeeded" }, null],
    [
      "crashes",
      { phase: "Running", containerStatuses: [{ state: { waiting: { reason: "CrashLoopBackOff" } } }] },
      "CrashLoopBackOff",
    ],
    ["has failed", { phase: "Failed", reason: "Evicted" }, "Evicted"],
    [
      "finds no node",
      {
        phase: "Pending",
        conditions: [...notReady, { type: "PodScheduled", status: "False", reason: "Unschedulable" }],
      },
      "Unschedulable",
    ],
    ["is slow", { phase: "Running", conditions: notReady }, "NotReady"],
  ])("which %s", (_, status, why) => {
    expect(unwell(status)).toBe(why);
  });

  it("has some time to start", () => {
    const starting = [{ type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:59:00Z" }];
    expect(unwell({ phase: "Pending", conditions: starting })).toBeNull();
  });

  it("is not one that is about to go", () => {
    expect(
      unwell({ phase: "Running", conditions: notReady }, { deletionTimestamp: "2026-01-01T00:59:00Z" }),
    ).toBeNull();
  });
});

describe("a pod that has to leave a node", () => {
  it.each<[string, Record<string, unknown>, string, boolean]>([
    ["of a ReplicaSet", owned("ReplicaSet"), "Running", true],
    ["of nobody", {}, "Running", true],
    ["of a DaemonSet", owned("DaemonSet"), "Running", false],
    ["of the kubelet", { annotations: { "kubernetes.io/config.mirror": "x" }, ...owned("Node") }, "Running", false],
    ["that has ended", owned("Job"), "Succeeded", false],
  ])("%s", (_, more, phase, leaves) => {
    expect(mustLeave(podSeenOf(pod({ phase }, more), NOW))).toBe(leaves);
  });
});

it("asks for what its containers do together, or for what the hungriest before them does", () => {
  const container = (cpu: string) => ({ resources: { requests: { cpu } } });
  const asks = (spec: unknown) => podSeenOf({ metadata: {}, spec, status: {} }, NOW).cpu;
  expect(asks({ containers: [container("500m"), container("250m")] })).toBe(0.75);
  expect(asks({ containers: [container("500m")], initContainers: [container("2")] })).toBe(2);
  const sidecar = { ...container("1"), restartPolicy: "Always" };
  expect(asks({ containers: [container("500m")], initContainers: [sidecar], overhead: { cpu: "100m" } })).toBeCloseTo(
    1.6,
  );
});
