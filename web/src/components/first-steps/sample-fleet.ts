import { callApi } from "../../api/client.ts";

/** What marks the clusters of the sample fleet, so that they can be removed as one. */
export const SAMPLE_LABEL = "drover.dev/sample";
export const SAMPLE_SELECTOR = `${SAMPLE_LABEL}=true`;

interface Sample {
  readonly name: string;
  readonly env: string;
  readonly team: string;
  readonly version: string;
  readonly workers: number;
  readonly fault?: {
    readonly operation: string;
    readonly effect: string;
    readonly message: string;
    readonly times?: number;
  };
}

/** A fleet as a team may have it: most is well, one fails, one cannot be reached. */
export const SAMPLES: readonly Sample[] = [
  { name: "sample-prod-shanghai", env: "prod", team: "payments", version: "v1.33.4", workers: 6 },
  { name: "sample-prod-frankfurt", env: "prod", team: "payments", version: "v1.33.4", workers: 5 },
  { name: "sample-prod-oregon", env: "prod", team: "search", version: "v1.32.8", workers: 4 },
  { name: "sample-staging-1", env: "staging", team: "payments", version: "v1.34.0", workers: 3 },
  { name: "sample-staging-2", env: "staging", team: "search", version: "v1.34.0", workers: 3 },
  { name: "sample-dev-ada", env: "dev", team: "search", version: "v1.34.0", workers: 1 },
  { name: "sample-dev-lin", env: "dev", team: "payments", version: "v1.34.0", workers: 1 },
  { name: "sample-dev-grace", env: "dev", team: "platform", version: "v1.34.0", workers: 2 },
  {
    ...{ name: "sample-ci-broken", env: "ci", team: "platform", version: "v1.34.0", workers: 2 },
    fault: { operation: "create", effect: "fail", message: "bind: address already in use (port 2379)" },
  },
  {
    ...{ name: "sample-edge-lost", env: "edge", team: "platform", version: "v1.31.9", workers: 1 },
    fault: { operation: "observe", effect: "unreachable", message: "dial tcp 10.4.0.7:6443: i/o timeout" },
  },
];

/** Faults strike a few looks or makings late, so that the cluster is there before it is lost. */
export function describeSample({ name, env, team, version, workers, fault }: Sample, seed: number): object {
  return {
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name, labels: { env, team, [SAMPLE_LABEL]: "true" } },
    spec: {
      provider: "simulated",
      kubernetes: { version },
      simulated: {
        workers,
        seed,
        latency: { minimumMs: 300, maximumMs: 2_500 },
        ...(fault === undefined ? {} : { faults: [fault.operation === "observe" ? { ...fault, after: 12 } : fault] }),
      },
    },
  };
}

/** Declares the sample fleet. It is simulated: nothing outside Drover is touched. */
export async function makeSampleFleet(): Promise<void> {
  for (const [index, sample] of SAMPLES.entries()) {
    const body = JSON.stringify(describeSample(sample, index + 1));
    await callApi("clusters", "declareCluster", { body, query: { reason: "sample fleet" } });
  }
}

/** Deletes the sample fleet, as one batch. */
export async function removeSampleFleet() {
  return await callApi("batches", "createBatch", {
    body: {
      operation: "delete",
      selector: SAMPLE_SELECTOR,
      waveSize: 50,
      maxFailures: 100,
      reason: "sample fleet",
      consent: true,
    },
  });
}
