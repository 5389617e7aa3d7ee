import { posix } from "node:path";
import type { Import } from "./read-imports.ts";
import { findLayer, type Layer, type LayerTable } from "./table.ts";

export interface Verdict {
  /** The file of ours that is imported, relative to the root. */
  readonly target?: string;
  readonly complaint?: string;
}

const TEST_FILE = /\.(test|conformance)\.tsx?$/;
/** The workspaces that are packages: they know each other by name only. */
const PACKAGES = ["contract", "drover", "web"];

export const isTestFile = (file: string): boolean => TEST_FILE.test(file);

/** Where an import leads, and what is wrong with it. */
export function judgeImport(table: LayerTable, layer: Layer, file: string, found: Import): Verdict {
  const { specifier } = found;
  if (specifier === undefined) return { complaint: "an import with a computed name cannot be checked; write it out" };
  const target = resolveOwn(table, file, specifier);
  if (target === undefined) return { ...complain(judgePackage(table, layer, file, specifier)) };
  return { target, ...complain(judgeOwn(table, layer, file, specifier, target)) };
}

const complain = (complaint: string | undefined): Verdict => (complaint === undefined ? {} : { complaint });

function resolveOwn(table: LayerTable, file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ""));
  return table.packages[specifier];
}

function judgeOwn(
  table: LayerTable,
  layer: Layer,
  file: string,
  specifier: string,
  target: string,
): string | undefined {
  const other = findLayer(table, target);
  const leaves = PACKAGES.includes(workspaceOf(file)) && workspaceOf(file) !== workspaceOf(target);
  if (leaves && specifier.startsWith(".")) return `reaches into ${workspaceOf(target)}/; import it by its package name`;
  if (!other) return undefined;
  if (isTestFile(target) && !isTestFile(file) && !layer.helpers) return `${target} is a test; only tests may import it`;
  if (other.helpers && isTestFile(file)) return undefined;
  if (!table.reach.get(layer.name)?.has(other.name)) {
    return `"${layer.name}" must not import "${other.name}": it stands on ${layer.on.join(", ") || "nothing"}`;
  }
  if (layer.apart && other.name === layer.name) return judgeSiblings(layer, file, target);
  return undefined;
}

function judgeSiblings(layer: Layer, file: string, target: string): string | undefined {
  const from = childOf(layer, file);
  const to = childOf(layer, target);
  if (from === undefined || to === undefined || from === to) return undefined;
  return `"${layer.name}/${from}" must not import "${layer.name}/${to}": adapters never import each other`;
}

function judgePackage(table: LayerTable, layer: Layer, file: string, specifier: string): string | undefined {
  if (isTestFile(file)) return undefined;
  const guards = table.guarded[specifier] ?? table.guarded[`node:${specifier}`];
  if (guards && !guards.includes(layer.name)) return `only ${guards.join(", ")} may import "${specifier}"`;
  if (layer.browser && specifier.startsWith("node:"))
    return `"${layer.name}" runs in a browser; "${specifier}" does not`;
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  if (layer.packages && !layer.packages.includes(name)) {
    return `"${layer.name}" must not import "${name}": it uses ${layer.packages.join(", ") || "no package at all"}`;
  }
  return undefined;
}

const workspaceOf = (file: string): string => file.split("/", 1)[0] ?? "";

function childOf(layer: Layer, file: string): string | undefined {
  const [child, ...rest] = file.slice(layer.folder.length + 1).split("/");
  return rest.length > 0 ? child : undefined;
}
