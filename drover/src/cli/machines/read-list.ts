import { readFileSync } from "node:fs";
import { readDocuments } from "../../app/read-documents.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { parseAccess } from "./parse-access.ts";

/** One entry of a list, as the server takes it; what is missing comes from the flags. */
export type ListedMachine = Readonly<Record<string, unknown>>;

/** A list as CSV with a line of titles, or as YAML or JSON: a list of machines, or one under `machines`. */
export async function readMachineList(file: string, terminal: Terminal): Promise<readonly ListedMachine[]> {
  const text = file === "-" ? await terminal.readInput() : readText(file);
  const machines = /\.csv$/i.test(file) || looksLikeCsv(text) ? readCsv(file, text) : readYaml(file, text);
  if (machines.length === 0) throw new UsageError(`There is no machine in ${file}.`);
  return machines;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read (${(error as Error).message}).`);
  }
}

const looksLikeCsv = (text: string): boolean => /^\s*[a-zA-Z]+(\s*,\s*[a-zA-Z]+)+\s*$/m.exec(text)?.index === 0;

function readYaml(file: string, text: string): readonly ListedMachine[] {
  const read = readDocuments(text);
  if (!read.ok)
    throw new UsageError(read.problems.map(({ message, next }) => `${file}: ${message} ${next}`).join("\n"));
  return read.documents.flatMap(({ data }) => {
    const list: unknown = Array.isArray(data) ? data : (data as { machines?: unknown } | null)?.machines;
    if (Array.isArray(list) && list.every((item) => typeof item === "object" && item !== null))
      return list as ListedMachine[];
    throw new UsageError(`${file} must hold a list of machines, or one under machines.`);
  });
}

/** How each column becomes a field; unknown ones are refused, as a typing mistake would go unnoticed. */
const COLUMNS: Readonly<Record<string, (value: string) => ListedMachine>> = {
  name: (name) => ({ name }),
  address: (address) => ({ address }),
  port: (port) => ({ port: Number(port) }),
  user: (user) => ({ user }),
  credential: (credential) => parseAccess({ credential }),
  sudo: (sudo) => parseAccess({ sudo }),
  bastion: (bastion) => parseAccess({ bastion }),
  hostkey: (hostKey) => ({ hostKey }),
  labels: (labels) => parseAccess({ label: labels.split(/[;\s]+/).filter((pair) => pair !== "") }),
};

function readCsv(file: string, text: string): readonly ListedMachine[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const rows = lines.flatMap((line, at) =>
    line === "" || line.startsWith("#") ? [] : [{ cells: line.split(",").map((cell) => cell.trim()), at }],
  );
  const [titles, ...machines] = rows;
  const readers = (titles?.cells ?? []).map((title) => {
    const read = COLUMNS[title.toLowerCase()];
    if (read !== undefined) return read;
    throw new UsageError(`${file}: there is no column ${title}. Columns are: ${Object.keys(COLUMNS).join(", ")}.`);
  });
  return machines.map(({ cells, at }) => {
    if (cells.length > readers.length) throw new UsageError(`${file}:${at + 1}: there are more cells than titles.`);
    const fields = cells.map((cell, column) => (cell === "" ? {} : (readers[column]?.(cell) ?? {})));
    return Object.assign({}, ...fields) as ListedMachine;
  });
}
