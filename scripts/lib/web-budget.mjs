import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/**
 * How much JavaScript may be sent, in kB of Brotli: before the first paint, for what every page shows after it (menus), for
 * a page on demand, for the editor.
 */
export const BUDGET_KB = { initial: 170, shell: 80, page: 80, editor: 250 };

/**
 * @typedef {{ file: string, imports: readonly string[] }} Chunk What one file of the build loads with itself.
 * @typedef {{ name: string, kilobytes: number, limit: number }} Weight
 */

/** @param {string} text @returns {readonly string[]} The files that a built module imports at once. */
export function listImports(text) {
  const statics = text.matchAll(
    /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]+?\s*from\s*)?["']\.\/([\w.-]+\.js)["']/g,
  );
  return [...statics].map(([, file = ""]) => file);
}

/**
 * A file together with everything it imports, minus what is there already.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @param {string} file
 * @param {ReadonlySet<string>} [without]
 */
export function reach(graph, file, without = new Set()) {
  const found = new Set();
  const walk = (/** @type {string} */ one) => {
    if (found.has(one) || without.has(one)) return;
    found.add(one);
    for (const next of graph.get(one) ?? []) walk(next);
  };
  walk(file);
  return found;
}

/**
 * What the build weighs: what the page loads first, and what each page adds to it.
 *
 * @param {string} dist
 * @returns {readonly Weight[]}
 */
export function weighBuild(dist) {
  const assets = join(dist, "assets");
  const files = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const texts = new Map(files.map((name) => [name, readFileSync(join(assets, name), "utf8")]));
  const graph = new Map([...texts].map(([name, text]) => [name, listImports(text)]));
  const weigh = (/** @type {ReadonlySet<string>} */ set) =>
    [...set].reduce((sum, name) => sum + compress(texts.get(name) ?? ""), 0) / 1000;
  const entry = /src="\/assets\/([\w.-]+\.js)"/.exec(readFileSync(join(dist, "index.html"), "utf8"))?.[1];
  if (entry === undefined) throw new Error("The built index.html names no script.");
  const language = files.find((name) => name.startsWith("en-"));
  const initial = reach(graph, entry);
  for (const name of language === undefined ? [] : reach(graph, language)) initial.add(name);
  const shell = files
    .filter((name) => name.startsWith("bar-tools-"))
    .flatMap((name) => [...reach(graph, name, initial)]);
  const always = new Set([...initial, ...shell]);
  const onDemand = files.filter((name) => /-(page|dialog)-[\w-]{8}\.js$|^step-graph-[\w-]{8}\.js$/.test(name));
  return [
    { name: "initial", kilobytes: weigh(initial), limit: BUDGET_KB.initial },
    { name: "shell", kilobytes: weigh(new Set(shell)), limit: BUDGET_KB.shell },
    ...onDemand.map((name) => ({
      name: name.replace(/-[\w-]{8}\.js$/, ""),
      kilobytes: weigh(reach(graph, name, new Set([...always, ...withPage(graph, name, onDemand)]))),
      limit: WITH_EDITOR.test(name) ? BUDGET_KB.editor : BUDGET_KB.page,
    })),
  ];
}

/**
 * The page that a file shares code with was there before it, and has been weighed itself.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @param {string} file
 * @param {readonly string[]} onDemand
 */
function withPage(graph, file, onDemand) {
  const pages = [...reach(graph, file)].filter((one) => one !== file && onDemand.includes(one));
  return pages.flatMap((page) => [...reach(graph, page)]);
}

/** What holds the YAML editor. */
const WITH_EDITOR = /^((new|edit)-cluster-page|template-dialog)-/;

/** @param {string} text */
function compress(text) {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
}
