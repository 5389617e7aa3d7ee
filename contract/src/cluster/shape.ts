import { z } from "zod";
import type { Path } from "./path.ts";

/** The schema of the field at a place, or undefined where the schema has no such field. */
export function schemaAt(root: z.ZodType, path: Path): z.ZodType | undefined {
  let schema: z.ZodType | undefined = root;
  for (const part of path) schema = schema === undefined ? undefined : childOf(unwrap(schema), part);
  return schema;
}

/** Names of the fields of an object schema, in their order; empty for anything else. */
export function fieldsOf(schema: z.ZodType | undefined): readonly string[] {
  const inner = schema === undefined ? undefined : unwrap(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** What the schema says about itself in words. */
export function descriptionOf(schema: z.ZodType | undefined): string | undefined {
  for (let current = schema; current !== undefined; current = innerOf(current)) {
    const description = current.meta()?.description;
    if (description !== undefined) return description;
  }
  return undefined;
}

/** The schema without what makes it optional or gives it a default. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : unwrap(inner);
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return schema.unwrap() as z.ZodType;
  }
  return undefined;
}

function childOf(schema: z.ZodType, part: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) {
    return Object.hasOwn(schema.shape, part) ? (schema.shape[part as string] as z.ZodType) : undefined;
  }
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  return undefined;
}
