import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
} from "yaml";
import { splitPath } from "./document-path.ts";

/** Where in a text something is wrong, and what. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly message: string;
}

export interface ReadDocument {
  readonly value: unknown;
  readonly syntax: readonly Mark[];
}

const parse = (text: string, lines: LineCounter): Document =>
  parseDocument(text, { lineCounter: lines, keepSourceTokens: false, maxAliasCount: 0 } as never) as Document;

/** What a text says, or where it cannot be read. */
export function readDocument(text: string): ReadDocument {
  const lines = new LineCounter();
  const document = parse(text, lines);
  const syntax = document.errors.map(({ pos: [from, to], message }) => ({
    from,
    to: Math.max(to, from + 1),
    line: lines.linePos(from).line,
    message: message.split("\n", 1)[0] ?? message,
  }));
  return { value: syntax.length > 0 ? undefined : safeValue(document), syntax };
}

function safeValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}

/**
 * Sets one field and leaves everything else of the text as it is: comments, order, unknown keys. `undefined` takes the
 * field away, and with it what would be left empty.
 */
export function setField(text: string, path: string, value: unknown): string {
  const document = parse(text, new LineCounter());
  if (document.errors.length > 0) return text;
  const steps = splitPath(path);
  const there = document.getIn(steps, true);
  if (value === undefined) removeField(document, steps);
  // The comment behind a value belongs to its node: a new value goes into the old node.
  else if (isScalar(there) && typeof value !== "object") there.value = value;
  else if (!clearWay(document, steps)) return text;
  else document.setIn(steps, likeBefore(document.createNode(value), there));
  return document.toString({ lineWidth: 0 });
}

/** Appends to a list, which is made if it is not there; what it holds already stays as it is. */
export function addItems(text: string, path: string, values: readonly unknown[]): string {
  const document = parse(text, new LineCounter());
  if (document.errors.length > 0) return text;
  const steps = splitPath(path);
  if (!isSeq(document.getIn(steps, true))) {
    if (!clearWay(document, [...steps, 0])) return text;
    document.setIn(steps, document.createNode([]));
  }
  const list = document.getIn(steps, true);
  if (!isSeq(list)) return text;
  // An empty list is written as [], and what is put between the brackets would stand on one line.
  if (list.items.length === 0) list.flow = false;
  for (const value of values) list.add(document.createNode(value, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

/** A list or map that takes the place of another one is written as that was, with its comments. */
function likeBefore(node: Node, before: unknown): Node {
  if (isCollection(node) && isCollection(before)) {
    if (before.flow !== undefined) node.flow = before.flow;
    if (before.comment != null) node.comment = before.comment;
    if (before.commentBefore != null) node.commentBefore = before.commentBefore;
  }
  return node;
}

/** Takes away the empty values on the way to a field. False when something else than a map is in the way. */
function clearWay(document: Document, steps: readonly (string | number)[]): boolean {
  for (let length = 0; length < steps.length; length += 1) {
    const around: unknown = length === 0 ? document.contents : document.getIn(steps.slice(0, length), true);
    if (around == null) return true;
    if (isCollection(around)) continue;
    if (!isScalar(around) || around.value !== null) return false;
    if (length === 0) document.contents = null;
    else document.deleteIn(steps.slice(0, length));
  }
  return true;
}

function removeField(document: Document, steps: readonly (string | number)[]): void {
  if (!document.hasIn(steps)) return;
  document.deleteIn(steps);
  const parent = steps.slice(0, -1);
  const rest = parent.length > 1 ? document.getIn(parent) : undefined;
  if (isMap(rest) && rest.items.length === 0) removeField(document, parent);
}

/** Where each problem is in the text: at its value, else at the nearest thing around it that is there. */
export function locateProblems(
  text: string,
  problems: readonly { readonly path: string; readonly message: string }[],
): readonly Mark[] {
  const lines = new LineCounter();
  const document = parse(text, lines);
  return problems.map(({ path, message }) => {
    const [from, to] = findRange(document, splitPath(path));
    return { from, to, line: lines.linePos(from).line, message };
  });
}

function findRange(document: Document, steps: readonly (string | number)[]): readonly [number, number] {
  for (let length = steps.length; length > 0; length -= 1) {
    const found = rangeAt(document, steps.slice(0, length));
    if (found !== undefined) return found;
  }
  return [0, 1];
}

function rangeAt(document: Document, steps: readonly (string | number)[]): readonly [number, number] | undefined {
  const parent = steps.length === 1 ? document.contents : document.getIn(steps.slice(0, -1), true);
  const last = steps.at(-1);
  const pair = isMap(parent) ? parent.items.find(({ key }) => (key as Scalar | null)?.value === last) : undefined;
  const node: unknown = isPair(pair) ? (isScalarLike(pair.value) ? pair.value : pair.key) : document.getIn(steps, true);
  const range = isNode(node) ? (node as Node).range : undefined;
  return range == null ? undefined : [range[0], Math.max(range[1], range[0] + 1)];
}

const isScalarLike = (node: unknown): boolean => isNode(node) && !("items" in (node as object));
