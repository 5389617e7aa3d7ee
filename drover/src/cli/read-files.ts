import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "@drover/contract";
import { makeLineOf, type ReadDocument, readDocuments } from "../app/read-documents.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** One document of a file, with the way back to its lines. */
export interface FileDocument {
  /** As it was named; `standard input` for `-`. */
  readonly file: string;
  readonly data: unknown;
  readonly text: string;
  /** The line in the file, counted from 1. */
  lineOf(path: string): number;
}

/** Something that cannot be read as YAML or JSON, with every problem of all files. */
export class DocumentsError extends UsageError {}

const ENDINGS = /\.(ya?ml|json)$/i;

/** Every document of files, folders (without those below) and standard input, in the order in which they were named. */
export async function readFiles(names: readonly string[], terminal: Terminal): Promise<readonly FileDocument[]> {
  const sources: { readonly file: string; readonly text: string }[] = [];
  for (const name of names) {
    if (name === "-") sources.push({ file: "standard input", text: await terminal.readInput() });
    else for (const file of listFiles(name)) sources.push({ file, text: readText(file) });
  }
  const problems: string[] = [];
  const documents = sources.flatMap(({ file, text }) => splitDocuments(file, text, problems));
  if (problems.length > 0) throw new DocumentsError(problems.join("\n"));
  if (documents.length > 0) return documents;
  throw new UsageError(`There is no document in ${names.join(", ")}. Name a YAML or JSON file with clusters.`);
}

function listFiles(name: string): readonly string[] {
  const stat = statSync(name, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new UsageError(`There is no file ${name}. Check its name, or use - for standard input.`);
  if (!stat.isDirectory()) return [name];
  const files = readdirSync(name)
    .filter((file) => ENDINGS.test(file))
    .toSorted();
  if (files.length === 0) throw new UsageError(`The folder ${name} has no file that ends in .yaml, .yml or .json.`);
  return files.map((file) => join(name, file));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read (${(error as Error).message}).`);
  }
}

/** Documents are read one by one, so that a file with a whole fleet is no larger for it than one cluster. */
function splitDocuments(file: string, text: string, problems: string[]): readonly FileDocument[] {
  const found: FileDocument[] = [];
  let start = 0;
  const lines = text.split("\n");
  const read = (end: number) => {
    const piece = lines.slice(start, end).join("\n");
    const offset = start;
    const result = readDocuments(piece);
    if (!result.ok) problems.push(...result.problems.map((problem) => describe(file, offset, problem)));
    else found.push(...result.documents.map((document) => place(file, piece, offset, document)));
  };
  for (const [at, line] of lines.entries()) {
    // At the left margin this can be nothing else than the end of a document.
    if (!/^---(\s|$)/.test(line) || at === start) continue;
    read(at);
    start = at;
  }
  read(lines.length);
  return found;
}

function place(file: string, text: string, offset: number, document: ReadDocument): FileDocument {
  const lineOf = makeLineOf(document);
  return { file, text, data: document.data, lineOf: (path) => offset + lineOf(path) };
}

/** The reader counts lines from the start of the document. */
function describe(file: string, offset: number, { message, next }: Problem): string {
  const [, line, rest = message] = /^Line (\d+)(?:, column \d+)?: ([\s\S]*)$/.exec(message) ?? [];
  return `${file}:${offset + Number(line ?? 1)}: ${rest} ${next}`;
}

/** The name that a document declares; what has none is refused by the server, with its place. */
export function nameOf({ data }: Pick<FileDocument, "data">): string | null {
  const name = (data as { readonly metadata?: { readonly name?: unknown } } | null)?.metadata?.name;
  return typeof name === "string" && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name) ? name : null;
}
