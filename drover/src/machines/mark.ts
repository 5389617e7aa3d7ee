import type { MachineFacts } from "@drover/contract";

/** Reads the file by which Drover knows the machines of its clusters; null when it says nothing. */
export function readMark(text: string): MachineFacts["software"]["mark"] {
  if (text.trim() === "") return null;
  const { clusterId, clusterName } = parse(text);
  // Whoever wrote something else there has a use for the machine all the same.
  return { clusterId: word(clusterId) ?? "?", clusterName: word(clusterName) };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const word = (value: unknown): string | null =>
  typeof value === "string" && /^[\w.:-]{1,253}$/.test(value) ? value : null;
