import { readFileSync, statSync } from "node:fs";
import { parseDocument } from "yaml";

const LIMIT_BYTES = 1_000_000;

export type ConfigFile =
  | { readonly ok: true; readonly entries: ReadonlyMap<string, unknown> }
  | { readonly ok: false; readonly message: string };

/** Reads a configuration file: one YAML mapping, without aliases, of at most 1 MB. */
export function readConfigFile(file: string): ConfigFile {
  let text: string;
  try {
    const { size } = statSync(file);
    if (size > LIMIT_BYTES) return refuse(`is ${size} bytes long; a configuration file has at most ${LIMIT_BYTES}`);
    text = readFileSync(file, "utf8");
  } catch (error) {
    return refuse(`cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
  return parseConfig(text);
}

export function parseConfig(text: string): ConfigFile {
  const document = parseDocument(text, { merge: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error) return refuse(`is not valid YAML: ${error.message.split("\n", 1)[0]}`);
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 0, mapAsMap: true });
  } catch {
    return refuse("uses aliases; write each value out");
  }
  if (content === null || content === undefined) return { ok: true, entries: new Map() };
  if (!(content instanceof Map)) return refuse("must be a mapping of option names to values");
  return { ok: true, entries: new Map([...content].map(([key, value]) => [String(key), value])) };
}

const refuse = (message: string): ConfigFile => ({ ok: false, message });
