import { parse } from "yaml";
import { isFields } from "../domain/json-fields.ts";

/** What of a kubeconfig is secret by itself, wherever in it it stands. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  ...["token", "password", "client-key-data"],
  ...["id-token", "refresh-token", "access-token", "client-secret"],
]);
/** Larger ones are hidden as a whole only. */
const LONGEST = 1_048_576;

/**
 * Everything that has to be hidden when a text is secret: the text itself, and, of a kubeconfig or of entries that hold
 * one, each token, password and key, as programs print those alone.
 */
export function secretsWithin(text: string): readonly string[] {
  const found = new Set([text]);
  if (text.length <= LONGEST && /\bConfig\b/.test(text)) collect(parseText(text), null, found);
  return [...found];
}

function collect(value: unknown, key: string | null, found: Set<string>): void {
  if (typeof value === "string") {
    if (key !== null && SECRET_KEYS.has(key)) addSecret(value, key, found);
    // The entries of a named secret: a kubeconfig stands in one of them as text.
    else if (/^kind:\s*Config\b|"kind"\s*:\s*"Config"/m.test(value))
      for (const one of secretsWithin(value)) found.add(one);
    return;
  }
  if (Array.isArray(value)) for (const item of value) collect(item, null, found);
  else if (isFields(value)) for (const [name, item] of Object.entries(value)) collect(item, name, found);
}

function addSecret(value: string, key: string, found: Set<string>): void {
  found.add(value);
  if (key === "client-key-data") found.add(Buffer.from(value, "base64").toString());
}

function parseText(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: "error" });
  } catch {
    return null;
  }
}
