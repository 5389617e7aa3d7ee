import { DEFAULTS } from "./defaults.ts";
import type { Cluster, ClusterInput } from "./schema.ts";

interface Instruction {
  readonly fields: readonly string[];
  readonly value: unknown;
  readonly providers: readonly string[] | undefined;
}

/** In the order of the table, which lists an object before its fields. */
const INSTRUCTIONS: readonly Instruction[] = Object.entries(DEFAULTS).map(([path, entry]) => ({
  fields: path.split("."),
  value: entry.value,
  providers: "providers" in entry ? entry.providers : undefined,
}));

/** The same document with every default filled in. What it is given stays as it was. */
export function applyDefaults(input: ClusterInput): Cluster {
  const copy = copyPlain(input);
  fillDefaults(copy);
  return copy as Cluster;
}

/** Fills defaults into a document in place, wherever the enclosing object is there. Parts of a wrong type are left alone. */
export function fillDefaults(document: unknown): void {
  const provider = isMap(document) && isMap(document.spec) ? document.spec.provider : undefined;
  for (const { fields, value, providers } of INSTRUCTIONS) {
    if (providers === undefined || providers.some((id) => id === provider)) fill(document, fields, 0, value);
  }
}

function fill(parent: unknown, fields: readonly string[], index: number, value: unknown): void {
  const field = fields[index];
  if (field === undefined || !isMap(parent)) return;
  if (index === fields.length - 1) {
    if (parent[field] === undefined) parent[field] = copyPlain(value);
    return;
  }
  if (!field.endsWith("[]")) {
    fill(parent[field], fields, index + 1, value);
    return;
  }
  const list = parent[field.slice(0, -2)];
  if (!Array.isArray(list)) return;
  for (const item of list) fill(item, fields, index + 1, value);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyPlain(item)]));
}
