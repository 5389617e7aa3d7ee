export type ParameterValue = string | number | boolean;

export interface Placeholder {
  /** Where it stands: `document.spec.provider`. */
  readonly path: string;
  readonly name: string;
  /** Whether it stands in the key of a map. */
  readonly isKey: boolean;
}

/** `${name}`; with another dollar before it, it stands for itself. */
const PLACEHOLDER = /\$?\$\{([^{}]*)\}/g;
const WHOLE = /^\$\{([^{}]*)\}$/;

const isEscaped = (text: string): boolean => text.startsWith("$$");

/** Every placeholder of a document, in keys too. */
export function* findPlaceholders(value: unknown, path = "document"): Generator<Placeholder> {
  if (typeof value === "string") yield* inText(value, path, false);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* findPlaceholders(item, `${path}[${index}]`);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield* inText(key, path, true);
      yield* findPlaceholders(item, `${path}.${key}`);
    }
  }
}

function* inText(text: string, path: string, isKey: boolean): Generator<Placeholder> {
  for (const [found, name = ""] of text.matchAll(PLACEHOLDER)) if (!isEscaped(found)) yield { path, name, isKey };
}

/**
 * The document with values in the place of placeholders. Works on data, never on text: a value cannot become a field, a
 * list or another document, whatever it holds. A placeholder that is all of a text becomes the value with its type.
 */
export function fillIn(value: unknown, values: ReadonlyMap<string, ParameterValue>): unknown {
  if (typeof value === "string") return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, values)]));
}

function fillText(text: string, values: ReadonlyMap<string, ParameterValue>): ParameterValue {
  const whole = values.get(WHOLE.exec(text)?.[1] ?? "");
  if (whole !== undefined) return whole;
  return text.replace(PLACEHOLDER, (found, name: string) =>
    isEscaped(found) ? found.slice(1) : String(values.get(name) ?? found),
  );
}
