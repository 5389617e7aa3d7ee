import type { Layer, LayerTable } from "./table.ts";

const BEGIN = "<!-- layers: generated from layers.json by `npm run generate` -->";
const END = "<!-- layers: end -->";

/** The document with its layers section drawn anew; everything outside the two marks stays as it is. */
export function replaceSection(text: string, section: string): string {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from === -1 || to < from) throw new Error(`The marks "${BEGIN}" and "${END}" are missing.`);
  return `${text.slice(0, from)}${BEGIN}\n${section}${text.slice(to)}`;
}

/** The layers as a picture and as a table. Arrows point at what is imported. */
export function drawLayers(table: LayerTable): string {
  return `\n${drawPicture(table)}\n${drawTable(table)}\n`;
}

function drawPicture({ layers }: LayerTable): string {
  const groups = [
    { title: "drover", members: layers.filter(({ folder }) => folder.startsWith("drover/")) },
    { title: "web", members: layers.filter(({ folder }) => folder.startsWith("web/")) },
  ];
  const lines = ["```mermaid", "flowchart TD"];
  for (const { title, members } of groups.filter((group) => group.members.length > 0)) {
    lines.push(`  subgraph ${title}`, ...members.map((layer) => `    ${drawNode(layer)}`), "  end");
  }
  const inGroups = new Set(groups.flatMap(({ members }) => members));
  lines.push(...layers.filter((layer) => !inGroups.has(layer)).map((layer) => `  ${drawNode(layer)}`));
  lines.push(...layers.flatMap(({ name, on }) => on.map((below) => `  ${idOf(name)} --> ${idOf(below)}`)));
  return [...lines, "```", ""].join("\n");
}

/** Adapters have rounded ends. */
function drawNode({ name, adapter }: Layer): string {
  const label = name.replace(/^web\//, "");
  return adapter ? `${idOf(name)}([${label}])` : `${idOf(name)}[${label}]`;
}

const idOf = (name: string): string => name.replaceAll("/", "_");

function drawTable({ layers, reach }: LayerTable): string {
  const rows = layers.map(({ name, folder }) => {
    const below = layers.filter((other) => other.name !== name && reach.get(name)?.has(other.name));
    return `| \`${folder}\` | ${below.map((other) => other.name).join(", ") || "nothing of ours"} |`;
  });
  return ["| folder | may import |", "| --- | --- |", ...rows, ""].join("\n");
}
