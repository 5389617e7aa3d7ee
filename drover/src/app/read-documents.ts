import { makeProblem, type Problem } from "@drover/contract";
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  visit,
} from "yaml";

/** A document as plain data, with the way back to its text. Nothing in it is trusted yet. */
export interface ReadDocument {
  readonly data: unknown;
  /** For `makeLineOf`: one text, which is handed from thread to thread at once, however many values there are. */
  readonly lines: string;
}

export type ReadResult =
  | { readonly ok: true; readonly documents: readonly ReadDocument[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Deeper than any document that could pass, and far from what would exhaust the parser. */
const PARSER_DEPTH = 256;
const MAX_DOCUMENTS = 1_000;
/** Far more than a cluster of hundreds of machines takes; ten times as much would hold up everybody else for a second. */
const MAX_BYTES = 262_144;
/** Line ends and punctuation: what the parser's work grows with. A hundred machines need about a thousand. */
const MAX_MARKS = 8_000;
const MAX_PROBLEMS = 100;

/** YAML or JSON text, one document or several. Refuses quickly what would be slow or large to read. */
export function readDocuments(text: string): ReadResult {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) {
    return refuse("document-too-large", `The text has ${bytes} bytes; at most ${MAX_BYTES} are read.`);
  }
  if (isTooDeep(text)) return refuse("document-too-deep", `The text is nested more than ${PARSER_DEPTH} levels deep.`);
  if (countMarks(text) > MAX_MARKS) {
    return refuse("document-too-large", `The text has more than ${MAX_MARKS} lines, fields and list items.`);
  }
  const lines = new LineCounter();
  const parsed = parse(text, lines);
  if (!Array.isArray(parsed)) return { ok: true, documents: [] };
  if (parsed.length > MAX_DOCUMENTS) {
    return refuse("document-too-large", `The text has ${parsed.length} documents; at most ${MAX_DOCUMENTS} are read.`);
  }
  const problems: Problem[] = [];
  const documents: ReadDocument[] = [];
  for (const document of parsed) {
    const found = [...findSyntaxErrors(document, lines), ...findUnwanted(document, lines)];
    problems.push(...found.slice(0, MAX_PROBLEMS - problems.length));
    if (found.length > 0 || document.contents === null) continue;
    documents.push({
      data: document.toJS({ maxAliasCount: 0 }),
      lines: listLines(document.contents, lines).join("\n"),
    });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, documents };
}

/** The parser makes an Error of every mistake; without their stacks a text full of mistakes is read as fast as a good one. */
function parse(text: string, lines: LineCounter): ReturnType<typeof parseAllDocuments> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parseAllDocuments(text, { lineCounter: lines, uniqueKeys: false, merge: false, prettyErrors: false });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function countMarks(text: string): number {
  return text.match(/[\n,[{&*!"']|[:?-](?=\s)/g)?.length ?? 0;
}

const refuse = (code: Parameters<typeof makeProblem>[1], message: string): ReadResult => ({
  ok: false,
  problems: [makeProblem("", code, message)],
});

const firstLine = (message: string): string => `${message.split("\n", 1)[0]?.replace(/[.:]?$/, "") ?? ""}.`;

/** Counts brackets that stay open and markers that open levels on one line. Generous: the exact limit is checked later. */
function isTooDeep(text: string): boolean {
  let open = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) open += 1;
    else if ((code === 0x5d || code === 0x7d) && open > 0) open -= 1;
    if (open > PARSER_DEPTH) return true;
  }
  return new RegExp(`^[ \\t]*(?:[-?:][ \\t]+){${PARSER_DEPTH}}|^ {${PARSER_DEPTH * 8}}`, "m").test(text);
}

function findSyntaxErrors(document: Document, lines: LineCounter): readonly Problem[] {
  return document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    return makeProblem("", "bad-syntax", `Line ${line}, column ${col}: ${firstLine(error.message)}`);
  });
}

/** Aliases, which can stand for gigabytes, and keys that occur twice, of which one would be lost unseen. */
function findUnwanted(document: Document, lines: LineCounter): readonly Problem[] {
  const problems: Problem[] = [];
  const lineOf = (node: Node) => lines.linePos(node.range?.[0] ?? 0).line;
  visit(document, {
    Alias: (_key, node) => {
      problems.push(makeProblem("", "alias-refused", `Line ${lineOf(node)}: aliases are not read.`));
    },
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) {
          problems.push(makeProblem("", "duplicate-key", `Line ${lineOf(key)}: the key "${name}" is there already.`));
        }
        seen.add(name);
      }
    },
  });
  return problems;
}

/** For each value, its line and the keys that lead to it. */
function listLines(root: Node, lines: LineCounter): readonly string[] {
  const listed: string[] = [];
  const add = (node: unknown, keys: readonly string[]) => {
    if (!isNode(node) || isAlias(node)) return;
    listed.push(`${lines.linePos(node.range?.[0] ?? 0).line} ${JSON.stringify(keys)}`);
    if (isSeq(node)) for (const [index, item] of node.items.entries()) add(item, [...keys, String(index)]);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) if (isScalar(key)) add(value ?? key, [...keys, String(key.value)]);
  };
  add(root, []);
  return listed;
}

/**
 * Tells the line, counted from 1, of the value at a path such as `spec.ssh.nodes[2].address`, or of what is nearest
 * above it.
 */
export function makeLineOf({ lines }: Pick<ReadDocument, "lines">): (path: string) => number {
  const known = new Map(
    lines.split("\n").map((entry) => {
      const space = entry.indexOf(" ");
      return [entry.slice(space + 1), Number(entry.slice(0, space))] as const;
    }),
  );
  return (path) => {
    const keys = (path.match(/[^.[\]"]+|"(?:[^"\\]|\\.)*"/g) ?? []).map((part) =>
      part.startsWith('"') ? (JSON.parse(part) as string) : part,
    );
    for (; ; keys.pop()) {
      const line = known.get(JSON.stringify(keys));
      if (line !== undefined || keys.length === 0) return line ?? 1;
    }
  };
}
