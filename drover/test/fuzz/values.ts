import fc from "fast-check";
import { HOSTILE_TEXTS } from "./hostile.ts";

export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

type Shared = Readonly<Record<string, SchemaNode>>;

const DEEPEST = 6;
const WORDS = [
  "a",
  "demo",
  "x-1",
  "1h",
  "env=dev",
  "v1.34.4",
  "simulated",
  "10.0.0.1",
  "2026-01-01T00:00:00Z",
  "admin",
];

/** Values that a schema of the OpenAPI document allows, or nearly. */
export function valuesOf(schema: SchemaNode, shared: Shared, depth = 0): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    return valuesOf(shared[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)] ?? {}, shared, depth);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valuesOf(choice, shared, depth)));
  if (depth > DEEPEST) return fc.constant(null);
  switch (schema.type) {
    case "object":
      return objectsOf(schema, shared, depth);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, shared, depth + 1), { maxLength: 3 });
    case "integer":
      return fc.oneof(
        fc.integer({ min: clamp(schema.minimum ?? 0), max: clamp(schema.maximum ?? 1_000) }),
        fc.integer(),
      );
    case "number":
      return fc.double();
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return texts(schema);
    default:
      return fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.jsonValue({ maxDepth: 2 }));
  }
}

const clamp = (bound: number) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, bound));

const texts = ({ minLength = 0, maxLength = 40 }: SchemaNode) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...WORDS), weight: 4 },
    { arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }), weight: 2 },
    { arbitrary: fc.string({ unit: "binary", maxLength: 20 }), weight: 1 },
  );

function objectsOf(schema: SchemaNode, shared: Shared, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length > 0) {
    const fields = Object.fromEntries(properties.map(([name, node]) => [name, valuesOf(node, shared, depth + 1)]));
    return fc.record(fields, { requiredKeys: [...(schema.required ?? [])].filter((name) => name in fields) });
  }
  const values = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
  return fc.dictionary(
    fc.constantFrom("a", "env", "tier", "__proto__", "constructor"),
    valuesOf(values, shared, depth + 1),
    {
      maxKeys: 3,
    },
  );
}
