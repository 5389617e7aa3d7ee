import { isFields, textAt } from "../../domain/json-fields.ts";

/** How far a machine has come on its way into the cluster. */
export const STAGES = ["claimed", "member", "complete"] as const;
export type Stage = (typeof STAGES)[number];

/** Whose a machine is, as it says itself. */
export interface Mark {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly node: string;
  /** Which job claimed it: a cancelled one gives back only what it took. */
  readonly jobId: string;
  readonly stage: Stage;
}

export const formatMark = (mark: Mark): string => `${JSON.stringify(mark)}\n`;

const KEYS = ["clusterId", "clusterName", "node", "jobId"] as const;

/** Null for what is no mark of ours. */
export function readMark(text: string): Mark | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const [clusterId, clusterName, node, jobId] = KEYS.map((key) => textAt(value, key));
  const stage = isFields(value) ? STAGES.find((one) => one === value["stage"]) : undefined;
  if (!clusterId || !clusterName || !node || !jobId || stage === undefined) return null;
  return { clusterId, clusterName, node, jobId, stage };
}
