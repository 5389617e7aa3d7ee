import { splitPath } from "../../components/yaml/document-path.ts";

/** The text or number at a path, as text; empty when there is none. */
export function readTextAt(value: unknown, path: string): string {
  const found = readAt(value, path);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

/** The value at a path of a document, if there is one. */
export function readAt(value: unknown, path: string): unknown {
  return splitPath(path).reduce<unknown>(
    (inside, step) =>
      typeof inside === "object" && inside !== null && Object.hasOwn(inside, step)
        ? (inside as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}
