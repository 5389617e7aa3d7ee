import type { JsonObject } from "./plan.ts";

/** A cluster on the host of a worker, whoever made it. A type, so that it counts as JSON. */
export type FoundOnHost = {
  readonly provider: string;
  readonly name: string;
  /** Whose it is by its mark; null for one that was not made by any Drover. */
  readonly clusterId: string | null;
};

/** What a worker, of whatever version, says that it found; what makes no sense here is left out. */
export function readFound(value: unknown): readonly FoundOnHost[] {
  return Array.isArray(value) ? value.filter(isFound) : [];
}

function isFound(value: unknown): value is FoundOnHost {
  if (typeof value !== "object" || value === null) return false;
  const { provider, name, clusterId } = value as JsonObject;
  return (
    typeof provider === "string" && typeof name === "string" && (clusterId === null || typeof clusterId === "string")
  );
}
