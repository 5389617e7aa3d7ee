import { makeProblem, type Problem, type ProblemCode } from "../problems.ts";
import { formatPath } from "./path.ts";

/**
 * What a document may weigh. Text is bounded before it is parsed, by whoever parses it; these bounds hold for
 * what came out, where a few aliases may have become gigabytes.
 */
export const LIMITS = {
  /** Of the text, before parsing. */
  documentBytes: 1_048_576,
  depth: 64,
  /** Lists, maps and single values together. */
  values: 30_000,
  /** All texts and keys together, in UTF-16 units. */
  characters: 1_048_576,
  textLength: 65_536,
  keyLength: 512,
  listLength: 2_000,
  mapSize: 1_000,
} as const;

/** Own keys by these names would become methods of the objects that programs build from the document. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Control characters but tab and line ends, or half of a surrogate pair. */
const UNCLEAN = /[\p{Cc}\p{Cs}]/u;
const CONTROL = /[^\P{Cc}\t\n\r]/u;
const LONE_SURROGATE = /\p{Cs}/u;

export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;

export interface Guarded {
  /** Private copy of plain objects and lists; undefined when the document was too large to be read to its end. */
  readonly copy: unknown;
  readonly problems: readonly Problem[];
}

/** Thrown to leave the walk as soon as nothing behind can change the verdict. */
class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Copies a document while making sure that reading it further cannot hurt. Runs before any schema sees it. */
export function guardDocument(input: unknown, limits: Limits = LIMITS): Guarded {
  const walk = new Walk(limits);
  try {
    return { copy: walk.copy(input, 0), problems: walk.problems };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { copy: undefined, problems: [error.problem] };
  }
}

class Walk {
  readonly problems: Problem[] = [];
  readonly #path: PropertyKey[] = [];
  readonly #limits: Limits;
  #values = 0;
  #characters = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  copy(value: unknown, depth: number): unknown {
    this.#values += 1;
    if (this.#values > this.#limits.values) {
      this.#refuse("document-too-large", `The document has more than ${this.#limits.values} values.`);
    }
    if (typeof value === "string") return this.#checkText(value);
    if (value === null || typeof value === "boolean" || Number.isFinite(value)) return value;
    if (depth >= this.#limits.depth) {
      this.#refuse("document-too-deep", `The document is nested more than ${this.#limits.depth} levels deep.`);
    }
    if (Array.isArray(value)) return this.#copyList(value, depth);
    if (isPlainObject(value)) return this.#copyMap(value, depth);
    this.#report("not-plain-data", `A ${nameOf(value)} cannot stand in a document.`);
    return undefined;
  }

  #copyList(list: readonly unknown[], depth: number): unknown[] {
    if (list.length > this.#limits.listLength) {
      this.#refuse(
        "document-too-large",
        `A list has ${list.length} items; at most ${this.#limits.listLength} are read.`,
      );
    }
    const copy: unknown[] = [];
    for (let index = 0; index < list.length; index += 1) {
      this.#path.push(index);
      copy.push(this.copy(list[index], depth + 1));
      this.#path.pop();
    }
    return copy;
  }

  #copyMap(map: Record<string, unknown>, depth: number): Record<string, unknown> {
    const keys = Object.keys(map);
    if (keys.length > this.#limits.mapSize) {
      this.#refuse("document-too-large", `A map has ${keys.length} keys; at most ${this.#limits.mapSize} are read.`);
    }
    const copy: Record<string, unknown> = {};
    for (const key of keys) {
      this.#path.push(key);
      if (this.#isUsableKey(key) && map[key] !== undefined) copy[key] = this.copy(map[key], depth + 1);
      this.#path.pop();
    }
    return copy;
  }

  #isUsableKey(key: string): boolean {
    if (key.length > this.#limits.keyLength) {
      this.#refuse(
        "document-too-large",
        `A key has ${key.length} characters; at most ${this.#limits.keyLength} are read.`,
      );
    }
    if (FORBIDDEN_KEYS.has(key)) {
      this.#report("forbidden-key", `The key ${key} is not allowed anywhere.`);
      return false;
    }
    const before = this.problems.length;
    this.#checkText(key);
    return this.problems.length === before;
  }

  #checkText(text: string): string {
    if (text.length > this.#limits.textLength) {
      this.#refuse(
        "document-too-large",
        `A text has ${text.length} characters; at most ${this.#limits.textLength} are read.`,
      );
    }
    this.#characters += text.length;
    if (this.#characters > this.#limits.characters) {
      this.#refuse("document-too-large", `The texts of the document exceed ${this.#limits.characters} characters.`);
    }
    if (!UNCLEAN.test(text)) return text;
    const control = CONTROL.exec(text)?.[0];
    if (control !== undefined) {
      const name = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
      this.#report("control-character", `The text contains the control character ${name}.`);
    } else if (LONE_SURROGATE.test(text)) {
      this.#report("broken-text", "The text contains half of a character.");
    }
    return text;
  }

  #report(code: ProblemCode, message: string): void {
    this.problems.push(makeProblem(formatPath(this.#path), code, message));
  }

  #refuse(code: ProblemCode, message: string): never {
    throw new Refusal(makeProblem(formatPath(this.#path), code, message));
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function nameOf(value: unknown): string {
  if (typeof value === "number") return "number without a finite value";
  if (typeof value === "object" && value !== null) return "special object";
  return typeof value;
}
