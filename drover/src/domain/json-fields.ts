/** Ways into data that others sent: what is not there, or something else, is empty. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object at the end of the way, or an empty one. */
export function fieldsAt(value: unknown, ...way: readonly string[]): Fields {
  let here = value;
  for (const name of way) here = isFields(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return isFields(here) ? here : {};
}

export function listAt(value: unknown, ...way: readonly string[]): readonly Fields[] {
  const last = way.at(-1) ?? "";
  const list = fieldsAt(value, ...way.slice(0, -1))[last];
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** Null for what is no text, and for the empty one. */
export function textAt(value: unknown, ...way: readonly string[]): string | null {
  const last = way.at(-1) ?? "";
  const text = fieldsAt(value, ...way.slice(0, -1))[last];
  return typeof text === "string" && text !== "" ? text : null;
}
