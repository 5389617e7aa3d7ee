const TIME = "2026-01-01T00:00:00Z";

/** A cluster as the API answers with it. */
export function sampleCluster(name: string, more: { phase?: string; modifiers?: string[]; generation?: number } = {}) {
  const { phase = "Running", modifiers = [], generation = 1 } = more;
  return {
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name, labels: { env: "dev" }, generation, creationTimestamp: TIME },
    spec: { provider: "simulated", desiredState: "present", simulated: { workers: 1 } },
    status: { phase, modifiers, kubernetesVersion: "v1.34.0", nodes: { total: 2, ready: 2 }, conditions: [] },
  };
}

/** A job as the API answers with it. */
export function sampleJob(state: string, more: object = {}) {
  return {
    ...{ id: "01a1defa-f9be-721e-885b-1552303336a6", cluster: "demo", number: 1, kind: "create", state },
    ...{ generation: 1, attempt: 1, worker: "w", planHash: null, percent: 50, secondsLeft: 3, error: null },
    ...{ createdBy: "me", reason: "", createdTime: TIME, startedTime: TIME, cancelRequestedTime: null },
    finishedTime: state === "Processing" ? null : "2026-01-01T00:00:12Z",
    ...more,
  };
}

export function sampleStep(id: string, state: string) {
  return {
    ...{ id, title: `Make ${id}`, host: "local", state, after: [], attempt: 1 },
    ...{ startedTime: TIME, finishedTime: null, error: null },
  };
}
