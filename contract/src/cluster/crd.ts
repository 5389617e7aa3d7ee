import type { CelRule } from "./field.ts";
import { annotatedSchema, type SchemaNode } from "./json-schema.ts";
import { API_VERSION, KIND } from "./schema.ts";

const [GROUP = "", VERSION = ""] = API_VERSION.split("/");
const PLURAL = "clusters";

/** Keywords that a structural schema understands and that mean the same there. */
const KEPT = [
  "type",
  "description",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "maxProperties",
  "enum",
  "required",
] as const;

const PRINTER_COLUMNS = [
  { name: "Provider", type: "string", jsonPath: ".spec.provider" },
  { name: "Version", type: "string", jsonPath: ".status.kubernetesVersion" },
  { name: "Phase", type: "string", jsonPath: ".status.phase" },
  { name: "Available", type: "string", jsonPath: '.status.conditions[?(@.type=="Available")].status' },
  { name: "Ready", type: "integer", jsonPath: ".status.nodes.ready", description: "Nodes seen Ready." },
  { name: "Nodes", type: "integer", jsonPath: ".status.nodes.total", description: "Nodes seen." },
  { name: "Desired", type: "string", jsonPath: ".spec.desiredState", priority: 1 },
  { name: "Endpoint", type: "string", jsonPath: ".status.endpoint", priority: 1 },
  { name: "Seen", type: "date", jsonPath: ".status.lastReconciledTime", priority: 1 },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

/** The custom resource definition: apiextensions.k8s.io/v1, structural, with a status subresource. */
export function clusterCustomResourceDefinition(): Record<string, unknown> {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${PLURAL}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { kind: KIND, listKind: `${KIND}List`, plural: PLURAL, singular: "cluster", shortNames: ["dc"] },
      scope: "Cluster",
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: PRINTER_COLUMNS,
          schema: { openAPIV3Schema: rootSchema() },
        },
      ],
    },
  };
}

/** An API server keeps metadata by its own rules; only the name may be narrowed down. */
function rootSchema(): Record<string, unknown> {
  const root = annotatedSchema();
  const { metadata, spec, status } = root.properties ?? {};
  const name = metadata?.properties?.name;
  if (name === undefined || spec === undefined || status === undefined) throw new Error("The schema has lost a field");
  const { type, minLength, maxLength, pattern } = name;
  return {
    type: "object",
    description: "A Kubernetes cluster that Drover keeps the way it was declared.",
    required: ["metadata", "spec"],
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object", properties: { name: { type, minLength, maxLength, pattern } } },
      spec: toStructural(spec),
      status: toStructural(status),
    },
    ...validations(root),
  };
}

function toStructural(node: SchemaNode): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const keyword of KEPT) if (node[keyword] !== undefined) result[keyword] = node[keyword];
  if (node.default !== undefined) result.default = completeDefault(node);
  if (node.properties !== undefined) {
    const fields = Object.entries(node.properties);
    result.properties = Object.fromEntries(fields.map(([key, child]) => [key, toStructural(child)]));
  }
  if (node.items !== undefined) result.items = toStructural(node.items);
  if (typeof node.additionalProperties === "object") {
    result.additionalProperties = toStructural(node.additionalProperties);
  }
  if (node.listKey !== undefined) {
    result["x-kubernetes-list-type"] = "map";
    result["x-kubernetes-list-map-keys"] = [node.listKey];
  }
  return { ...result, ...validations(node) };
}

/** An API server checks rules on a default before it fills in the defaults within, so those stand in it already. */
function completeDefault(node: SchemaNode): unknown {
  if (node.properties === undefined) return node.default;
  const inner = Object.entries(node.properties).filter(([, child]) => child.default !== undefined);
  return {
    ...Object.fromEntries(inner.map(([key, child]) => [key, completeDefault(child)])),
    ...(node.default as object),
  };
}

function validations(node: SchemaNode): Record<string, unknown> {
  const rules = (node.cel ?? []) as readonly CelRule[];
  return rules.length === 0
    ? {}
    : { "x-kubernetes-validations": rules.map(({ rule, message }) => ({ rule, message })) };
}
