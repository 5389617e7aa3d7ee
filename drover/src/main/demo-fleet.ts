import { SUPPORTED_KUBERNETES } from "@drover/contract";

/** From 0 up to, not including, 1. */
export type Random = () => number;

/** A document as somebody would write it, in parts that the demo changes. */
export interface DemoDocument {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly controlPlanes: number;
  readonly workers: number;
  readonly minor: number;
  readonly podNetwork: number;
  readonly seed: number;
  readonly faults: readonly Fault[];
}

interface Fault {
  readonly operation: string;
  readonly effect: string;
  readonly percent?: number;
  readonly times: number;
  readonly after?: number;
}

/** Each ends by itself: a cluster that is being deleted cannot be told that the bad times are over. */
const FAULTS: readonly Fault[] = [
  { operation: "create", effect: "fail", percent: 30, times: 4 },
  { operation: "create", effect: "done-yet-fails", percent: 40, times: 3 },
  { operation: "create", effect: "nothing-yet-succeeds", percent: 30, times: 3 },
  { operation: "any", effect: "fail", percent: 15, times: 6 },
  { operation: "any", effect: "unreachable", percent: 10, times: 5 },
  { operation: "any", effect: "done-yet-fails", percent: 15, times: 5 },
  { operation: "update", effect: "node-lost", percent: 20, times: 2 },
  { operation: "update", effect: "drift", percent: 20, times: 2 },
  { operation: "upgrade", effect: "done-yet-fails", percent: 30, times: 3 },
  { operation: "upgrade", effect: "reboot", percent: 20, times: 1 },
  { operation: "delete", effect: "fail", percent: 40, times: 3 },
  { operation: "delete", effect: "done-yet-fails", percent: 40, times: 3 },
  { operation: "delete", effect: "nothing-yet-succeeds", percent: 40, times: 2 },
  { operation: "observe", effect: "unreachable", percent: 20, times: 8 },
  { operation: "observe", effect: "hang", percent: 5, times: 1 },
  { operation: "observe", effect: "node-lost", percent: 20, times: 2, after: 2 },
  { operation: "observe", effect: "drift", percent: 20, times: 2, after: 2 },
];

const TEAMS = ["payments", "search", "platform", "research"] as const;
const STAGES = ["dev", "test", "prod"] as const;

export const clusterName = (run: string, index: number): string => `demo-${run}-${String(index).padStart(4, "0")}`;

/** One of a varied fleet. */
export function drawCluster(run: string, index: number, faults: boolean, random: Random): DemoDocument {
  return {
    name: clusterName(run, index),
    labels: { demo: run, team: pick(TEAMS, random), stage: pick(STAGES, random) },
    controlPlanes: random() < 0.2 ? 3 : 1,
    workers: Math.floor(random() * 6),
    minor: SUPPORTED_KUBERNETES.oldest + Math.floor(random() * 3),
    podNetwork: Math.floor(random() * 100),
    seed: Math.floor(random() * 1_000_000),
    faults: faults && random() < 0.7 ? [pick(FAULTS, random), pick(FAULTS, random)] : [],
  };
}

/** A change that somebody may want of a cluster. */
export function drawEdit(document: DemoDocument, random: Random): DemoDocument {
  const chance = random();
  if (chance < 0.25 && document.minor < SUPPORTED_KUBERNETES.newest) return { ...document, minor: document.minor + 1 };
  if (chance < 0.4) return { ...document, podNetwork: (document.podNetwork + 1) % 100 };
  if (chance < 0.5) return { ...document, controlPlanes: document.controlPlanes === 1 ? 3 : 1 };
  return { ...document, workers: (document.workers + 1 + Math.floor(random() * 3)) % 7 };
}

/** The text that is handed in. */
export function writeDocument(document: DemoDocument): string {
  const { name, labels, controlPlanes, workers, minor, podNetwork, seed, faults } = document;
  return JSON.stringify({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name, labels },
    spec: {
      provider: "simulated",
      kubernetes: { version: `v1.${minor}.0` },
      networking: { podSubnet: `10.${110 + podNetwork}.0.0/16` },
      simulated: { controlPlanes, workers, seed, ...(faults.length === 0 ? {} : { faults }) },
    },
  });
}

function pick<T>(items: readonly [T, ...T[]] | readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}
