import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One row of layers.json. */
export interface Layer {
  readonly name: string;
  readonly folder: string;
  /** What it stands on directly. */
  readonly on: readonly string[];
  /** One of several that are plugged in side by side; drawn as such, and none may stand on another. */
  readonly adapter?: boolean;
  /** Its subfolders must not import each other; its own files (the index) may import them all. */
  readonly apart?: boolean;
  /** Runs in a browser: nothing of Node.js. */
  readonly browser?: boolean;
  /** The only packages that its sources may import; anything goes where this is missing. */
  readonly packages?: readonly string[];
  /** Helpers of tests: test files of its workspace may import it. */
  readonly helpers?: boolean;
}

interface TableFile {
  readonly layers: readonly Layer[];
  readonly workshops: readonly Layer[];
  readonly packages: Readonly<Record<string, string>>;
  readonly guarded: Readonly<Record<string, readonly string[]>>;
}

export interface LayerTable extends TableFile {
  readonly all: readonly Layer[];
  /** For each layer the names of everything it may import, itself included. */
  readonly reach: ReadonlyMap<string, ReadonlySet<string>>;
}

export function loadLayers(root: string): LayerTable {
  return makeTable(JSON.parse(readFileSync(join(root, "layers.json"), "utf8")) as TableFile);
}

export function makeTable(file: TableFile): LayerTable {
  const all = [...file.layers, ...file.workshops];
  const byName = new Map(all.map((layer) => [layer.name, layer]));
  const reach = new Map(all.map((layer) => [layer.name, collectReach(layer.name, byName, [])]));
  for (const layer of all.filter(({ adapter }) => adapter)) {
    const other = all.find(({ name, adapter }) => adapter && name !== layer.name && reach.get(layer.name)?.has(name));
    if (other) throw new Error(`layers.json: the adapter "${layer.name}" stands on the adapter "${other.name}".`);
  }
  return { ...file, all, reach };
}

function collectReach(name: string, byName: ReadonlyMap<string, Layer>, above: readonly string[]): Set<string> {
  if (above.includes(name)) throw new Error(`layers.json: a circle: ${[...above, name].join(" → ")}.`);
  const layer = byName.get(name);
  if (!layer) throw new Error(`layers.json: "${above.at(-1)}" stands on "${name}", which is no layer.`);
  return new Set([name, ...layer.on.flatMap((below) => [...collectReach(below, byName, [...above, name])])]);
}

/** The layer that a file belongs to, by the longest folder that holds it. */
export function findLayer(table: LayerTable, file: string): Layer | undefined {
  return table.all
    .filter(({ folder }) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}
