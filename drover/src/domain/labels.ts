/**
 * Label selectors in the syntax of Kubernetes: `a=b,c!=d,e in (x,y),f notin (z),g,!h`. All requirements must hold.
 * As there, `!=` and `notin` also hold for objects that lack the label.
 */
export type LabelRequirement =
  | { readonly op: "in" | "notin"; readonly key: string; readonly values: readonly string[] }
  | { readonly op: "exists" | "missing"; readonly key: string };

/** Empty: everything matches. */
export type LabelSelector = readonly LabelRequirement[];

export interface LabelSyntaxError {
  /** Where in the text, counted from 0. */
  readonly position: number;
  readonly message: string;
}

export type LabelSelectorResult =
  | { readonly ok: true; readonly selector: LabelSelector }
  | { readonly ok: false; readonly errors: readonly LabelSyntaxError[] };

/** Longer texts are refused unread: a selector becomes part of a database query. */
export const MAX_SELECTOR_LENGTH = 4096;

interface Token {
  readonly text: string;
  readonly position: number;
  readonly isWord: boolean;
}

const TOKEN = /\s+|==|!=|[=!(),<>]|[^\s=!(),<>]+/gu;
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/u;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;

/** Finds every error, not only the first: after one it goes on behind the next comma. */
export function parseLabelSelector(text: string): LabelSelectorResult {
  if (text.length > MAX_SELECTOR_LENGTH) {
    const message = `The selector has ${text.length} characters; at most ${MAX_SELECTOR_LENGTH} are allowed.`;
    return { ok: false, errors: [{ position: MAX_SELECTOR_LENGTH, message }] };
  }
  const tokens = readTokens(text);
  if (tokens.length === 0) return { ok: true, selector: [] };
  const errors: LabelSyntaxError[] = [];
  const selector: LabelRequirement[] = [];
  for (const part of splitRequirements(tokens, text.length)) {
    try {
      selector.push(readRequirement(part));
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      errors.push({ position: error.position, message: error.message });
    }
  }
  return errors.length === 0 ? { ok: true, selector } : { ok: false, errors };
}

export function matchesLabels(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return selector.every((requirement) => meets(requirement, labels));
}

/** The text that reads as the selector again. */
export function formatLabelSelector(selector: LabelSelector): string {
  return selector
    .map((requirement) => {
      if (!("values" in requirement)) return requirement.op === "exists" ? requirement.key : `!${requirement.key}`;
      if (requirement.values.length !== 1)
        return `${requirement.key} ${requirement.op} (${requirement.values.join(",")})`;
      return `${requirement.key}${requirement.op === "in" ? "=" : "!="}${requirement.values[0]}`;
    })
    .join(",");
}

/** Null when the key may be used as a label key, otherwise what is wrong with it. */
export function checkLabelKey(key: string): string | null {
  const slash = key.indexOf("/");
  const prefix = slash < 0 ? null : key.slice(0, slash);
  if (prefix !== null && (prefix.length > 253 || !DNS_SUBDOMAIN.test(prefix))) {
    return `The prefix of the label key "${key}" must be a lower-case DNS name of at most 253 characters.`;
  }
  return isLabelName(key.slice(slash + 1))
    ? null
    : `The label key "${key}" must have 1 to 63 letters, digits, "-", "_" or ".", and begin and end with a letter or digit.`;
}

/** Null when the value may be used as a label value, otherwise what is wrong with it. */
export function checkLabelValue(value: string): string | null {
  return value === "" || isLabelName(value)
    ? null
    : `The label value "${value}" must have at most 63 letters, digits, "-", "_" or ".", and begin and end with a letter or digit.`;
}

class SyntaxProblem extends Error {
  readonly position: number;
  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

function meets(requirement: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.op) {
    case "exists":
      return value !== undefined;
    case "missing":
      return value === undefined;
    case "in":
      return value !== undefined && requirement.values.includes(value);
    case "notin":
      return value === undefined || !requirement.values.includes(value);
  }
}

function isLabelName(name: string): boolean {
  return name.length <= 63 && NAME.test(name);
}

function readTokens(text: string): Token[] {
  return [...text.matchAll(TOKEN)]
    .map((match) => ({ text: match[0], position: match.index, isWord: !/^[\s=!(),<>]/u.test(match[0]) }))
    .filter((token) => token.text.trim() !== "");
}

interface Part {
  readonly tokens: readonly Token[];
  readonly end: number;
}

/** Splits at the commas that stand outside parentheses. */
function splitRequirements(tokens: readonly Token[], length: number): Part[] {
  const parts: Part[] = [];
  let current: Token[] = [];
  let inside = false;
  for (const token of tokens) {
    if (token.text === "(") inside = true;
    if (token.text === ")") inside = false;
    if (token.text === "," && !inside) {
      parts.push({ tokens: current, end: token.position });
      current = [];
    } else {
      current.push(token);
    }
  }
  parts.push({ tokens: current, end: length });
  return parts;
}

function readRequirement({ tokens, end }: Part): LabelRequirement {
  const negated = tokens[0]?.text === "!";
  const [key, operator, ...rest] = negated ? tokens.slice(1) : tokens;
  if (key === undefined || !key.isWord) {
    throw new SyntaxProblem(key?.position ?? end, `A label key is missing${key ? ` before "${key.text}"` : ""}.`);
  }
  const problem = checkLabelKey(key.text);
  if (problem !== null) throw new SyntaxProblem(key.position, problem);
  if (negated) {
    if (operator) throw new SyntaxProblem(operator.position, `Nothing may follow "!${key.text}" but a comma.`);
    return { op: "missing", key: key.text };
  }
  switch (operator?.text) {
    case undefined:
      return { op: "exists", key: key.text };
    case "=":
    case "==":
      return { op: "in", key: key.text, values: [readSingleValue(rest)] };
    case "!=":
      return { op: "notin", key: key.text, values: [readSingleValue(rest)] };
    case "in":
    case "notin":
      return { op: operator.text, key: key.text, values: readValueList(rest, operator.text, end) };
    default:
      throw new SyntaxProblem(
        operator?.position ?? end,
        `"${operator?.text}" is no operator. Must be one of: =, ==, !=, in, notin.`,
      );
  }
}

function readSingleValue([value, extra]: readonly Token[]): string {
  if (value === undefined) return "";
  checkWord(value);
  if (extra) throw new SyntaxProblem(extra.position, `A comma is missing before "${extra.text}".`);
  return value.text;
}

function readValueList(tokens: readonly Token[], operator: string, end: number): readonly string[] {
  const [open] = tokens;
  if (open?.text !== "(") {
    throw new SyntaxProblem(open?.position ?? end, `"${operator}" must be followed by a list such as (a,b).`);
  }
  const values: string[] = [];
  let value: string | null = null;
  for (const [index, token] of tokens.entries()) {
    if (index === 0) continue;
    if (token.text === ")") {
      const extra = tokens[index + 1];
      if (extra) throw new SyntaxProblem(extra.position, `A comma is missing before "${extra.text}".`);
      return [...new Set([...values, value ?? ""])];
    }
    if (token.text === ",") {
      values.push(value ?? "");
      value = null;
      continue;
    }
    checkWord(token);
    if (value !== null) throw new SyntaxProblem(token.position, `A comma is missing before "${token.text}".`);
    value = token.text;
  }
  throw new SyntaxProblem(end, `The list that begins at position ${open.position} is not closed with ")".`);
}

function checkWord(token: Token): void {
  if (!token.isWord) throw new SyntaxProblem(token.position, `A label value is missing before "${token.text}".`);
  const problem = checkLabelValue(token.text);
  if (problem !== null) throw new SyntaxProblem(token.position, problem);
}
