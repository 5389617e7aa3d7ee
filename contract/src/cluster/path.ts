/** A place in a document: names of fields and positions in lists. */
export type Path = readonly PropertyKey[];

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** `spec.ssh.nodes[2].labels["example.com/team"]`; empty for the document as a whole. */
export function formatPath(path: Path): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += formatKey(shorten(String(part), 80), text === "");
  }
  return text;
}

function formatKey(key: string, isFirst: boolean): string {
  if (!PLAIN_KEY.test(key)) return `[${JSON.stringify(key)}]`;
  return isFirst ? key : `.${key}`;
}

/** The value at a place, or undefined. Never reads what an object inherits. */
export function readPath(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

export function shorten(text: string, maximum: number): string {
  return text.length <= maximum ? text : `${text.slice(0, maximum - 1)}…`;
}
