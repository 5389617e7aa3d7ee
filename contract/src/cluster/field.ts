import type { z } from "zod";

/** A rule in the Common Expression Language, checked by a Kubernetes API server; `self` is the annotated value. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
}

export const WIDGETS = [
  "text",
  "textarea",
  "number",
  "switch",
  "select",
  "list",
  "map",
  "group",
  "secret",
  "cron",
] as const;
export type Widget = (typeof WIDGETS)[number];

/** What a form needs to know beyond the type of a field. Order is the order of declaration. */
export interface FormHints {
  readonly widget?: Widget;
  /** Hidden behind "more" until asked for. */
  readonly advanced?: boolean;
  readonly placeholder?: string;
}

export interface FieldNotes {
  readonly title?: string;
  readonly form?: FormHints;
  readonly cel?: readonly CelRule[];
  /** Merge key of a list of objects: items are told apart by it, and it may occur only once. */
  readonly listKey?: string;
  readonly examples?: readonly unknown[];
}

/** Attaches what people, forms and the custom resource definition say about a field. */
export function describe<T extends z.ZodType>(schema: T, description: string, notes: FieldNotes = {}): T {
  const form = { ...(schema.meta()?.form as FormHints | undefined), ...notes.form };
  return schema.meta({ description, ...notes, ...(Object.keys(form).length > 0 ? { form } : {}) });
}
