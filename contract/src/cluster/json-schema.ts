import { z } from "zod";
import type { FormHints, Widget } from "./field.ts";
import { cluster } from "./schema.ts";

/** As much of JSON Schema as our schemas use, with what the field notes add. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly maxLength?: number;
  readonly [keyword: string]: unknown;
}

/** What a form needs to know about a field, beside its JSON Schema. */
export interface FormField {
  /** Fields of one group stand together: `metadata`, `cluster`, or the block of the spec. */
  readonly group: string;
  /** Position within the enclosing object. */
  readonly order: number;
  readonly widget: Widget;
  readonly advanced: boolean;
  readonly placeholder?: string;
}

/** Raw conversion: field notes are still in it. Made anew for every caller, so nobody shares it. */
export function annotatedSchema(schema: z.ZodType = cluster): SchemaNode {
  return z.toJSONSchema(schema, { io: "input", reused: "inline", target: "draft-2020-12" }) as unknown as SchemaNode;
}

/** JSON Schema of the document as people write it: draft 2020-12, with titles, descriptions, defaults and form hints. */
export function clusterJsonSchema(): SchemaNode {
  const { $schema, ...root } = annotatedSchema();
  const body = toPublicNode(root, [], 0);
  return { $schema, title: "Cluster", ...body };
}

const NOTES: ReadonlySet<string> = new Set(["cel", "form", "listKey", "maxProperties", "~standard"]);

function toPublicNode(node: SchemaNode, path: readonly string[], order: number): SchemaNode {
  const result: Record<string, unknown> = {};
  const name = path.at(-1);
  if (name !== undefined && name !== "[]") result.title = node.title ?? titleOf(name);
  for (const [keyword, value] of Object.entries(node)) if (!NOTES.has(keyword)) result[keyword] = value;
  if (node.maxProperties !== undefined) result.maxProperties = node.maxProperties;
  if (path.length > 0) result["x-drover-form"] = formField(node, path, order);
  if (node.properties !== undefined) {
    const fields = Object.entries(node.properties);
    result.properties = Object.fromEntries(
      fields.map(([key, child], index) => [key, toPublicNode(child, [...path, key], index)]),
    );
  }
  if (node.items !== undefined) result.items = toPublicNode(node.items, [...path, "[]"], 0);
  if (typeof node.additionalProperties === "object") {
    result.additionalProperties = toPublicNode(node.additionalProperties, [...path, "[]"], 0);
  }
  return result as SchemaNode;
}

function formField(node: SchemaNode, path: readonly string[], order: number): FormField {
  const hints = (node.form ?? {}) as FormHints;
  return {
    group: groupOf(node, path),
    order,
    widget: hints.widget ?? widgetOf(node),
    advanced: hints.advanced ?? false,
    ...(hints.placeholder === undefined ? {} : { placeholder: hints.placeholder }),
  };
}

function groupOf(node: SchemaNode, path: readonly string[]): string {
  const [root = "", block] = path;
  if (root !== "spec") return root;
  return block === undefined || (path.length === 2 && node.properties === undefined) ? "cluster" : block;
}

const LONG_TEXT = 4096;

function widgetOf(node: SchemaNode): Widget {
  if (node.enum !== undefined || node.const !== undefined) return "select";
  if (node.type === "boolean") return "switch";
  if (node.type === "integer" || node.type === "number") return "number";
  if (node.type === "array") return "list";
  if (node.type === "object") return node.properties === undefined ? "map" : "group";
  return (node.maxLength ?? 0) > LONG_TEXT ? "textarea" : "text";
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  api: "API",
  cni: "CNI",
  dns: "DNS",
  etcd: "etcd",
  haproxy: "HAProxy",
  id: "ID",
  ip: "IP",
  k3d: "k3d",
  k3s: "k3s",
  kind: "kind",
  ms: "ms",
  ssh: "SSH",
  tls: "TLS",
  ttl: "TTL",
  url: "URL",
};

/** `schedulableControlPlane` → `Schedulable control plane`. */
export function titleOf(field: string): string {
  const words = field.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").split(" ");
  const text = words.map((word) => ABBREVIATIONS[word.toLowerCase()] ?? word.toLowerCase()).join(" ");
  const first = words[0] ?? "";
  return ABBREVIATIONS[first.toLowerCase()] === undefined ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
