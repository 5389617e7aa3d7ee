import { DEFAULTS } from "../src/cluster/defaults.ts";
import { annotatedSchema, type SchemaNode } from "../src/cluster/json-schema.ts";
import { PROVIDERS } from "../src/cluster/schema.ts";

/** The reference of the Cluster document, as Markdown. */
export function writeClusterReference(notice: string): string {
  const { metadata, spec, status } = annotatedSchema().properties ?? {};
  if (metadata === undefined || spec === undefined || status === undefined)
    throw new Error("The schema has lost a field");
  return [
    `<!-- ${notice} -->`,
    "# The Cluster document",
    INTRODUCTION,
    EXAMPLE,
    ...writeTables("metadata", "metadata", metadata),
    ...writeTables("spec", "spec", spec),
    ...writeTables("status", "status", status),
    "## Defaults",
    "Left out, these fields get the values below before anything else looks at the document.",
    writeDefaults(),
    "",
  ].join("\n\n");
}

const INTRODUCTION = `A cluster is declared as one document of \`drover.dev/v1alpha1\`, as YAML or JSON: in a file, in the web UI,
through the API, or as a custom resource in Kubernetes (see [crd.md](crd.md)). Fields marked with \`*\` are required.
\`spec.provider\` decides which one of ${PROVIDERS.map((id) => `\`spec.${id}\``).join(", ")} may be there.
What a document can get wrong is listed in [errors.md](errors.md).`;

const EXAMPLE = `\`\`\`yaml
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata:
  name: dev-1
spec:
  provider: kind
\`\`\``;

interface Row {
  readonly path: string;
  readonly node: SchemaNode;
  readonly required: boolean;
}

/** One table for the object itself, then one for each block directly below it that has fields of its own. */
function writeTables(path: string, prefix: string, node: SchemaNode): string[] {
  const fields = Object.entries(node.properties ?? {});
  const blocks = path === "spec" ? fields.filter(([, child]) => bodyOf(child).properties !== undefined) : [];
  const names = new Set(blocks.map(([name]) => name));
  const rows = rowsOf(prefix, node, path === "spec").filter(({ path: row }) => !names.has(row));
  const tables = [`## ${path}`, node.description ?? "", writeTable(rows)];
  for (const [name, child] of blocks) {
    tables.push(`### ${path}.${name}`, child.description ?? "", writeTable(rowsOf("", bodyOf(child), false)));
  }
  return tables;
}

/** All fields below an object, depth first; only its own when asked to stay shallow. */
function rowsOf(prefix: string, node: SchemaNode, shallow: boolean): Row[] {
  const required = new Set(node.required ?? []);
  const start = prefix === "" || ["spec", "status", "metadata"].includes(prefix) ? "" : `${prefix}.`;
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const path = `${start}${name}${child.items === undefined ? "" : "[]"}`;
    const row = { path: shallow ? name : path, node: child, required: required.has(name) };
    return shallow ? [row] : [row, ...rowsOf(path, bodyOf(child), false)];
  });
}

function bodyOf(node: SchemaNode): SchemaNode {
  return node.items ?? node;
}

function writeTable(rows: readonly Row[]): string {
  const lines = rows.map(({ path, node, required }) => {
    const name = `\`${path}\`${required ? " \\*" : ""}`;
    return `| ${name} | ${escapeCell(typeOf(node))} | ${escapeCell(node.description ?? "")} |`;
  });
  return ["| field | type | meaning |", "| --- | --- | --- |", ...lines].join("\n");
}

function typeOf(node: SchemaNode): string {
  if (node.items !== undefined) return `list of ${typeOf(node.items)}${limit("at most", node.maxItems)}`;
  if (node.enum !== undefined) return node.enum.map((value) => `\`${String(value)}\``).join(" | ");
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (typeof node.additionalProperties === "object") return `map of ${typeOf(node.additionalProperties)}`;
  if (node.type === "integer") return `whole number, ${String(node.minimum)} to ${range(node.maximum)}`;
  if (node.type === "string") return `text${limit("at most", node.maxLength)}`;
  return node.type === "object" ? "block" : (node.type ?? "anything");
}

function range(maximum: unknown): string {
  return maximum === Number.MAX_SAFE_INTEGER ? "any" : String(maximum);
}

function limit(words: string, value: unknown): string {
  return typeof value === "number" ? `, ${words} ${value}` : "";
}

function writeDefaults(): string {
  const lines = Object.entries(DEFAULTS).map(([path, entry]) => {
    const providers = "providers" in entry ? ` (${entry.providers.join(", ")})` : "";
    return `| \`${path}\`${providers} | \`${JSON.stringify(entry.value)}\` | ${escapeCell(entry.reason)} |`;
  });
  return ["| field | value | because |", "| --- | --- | --- |", ...lines].join("\n");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
