import type { z } from "zod";
import { makeProblem, type Problem } from "../problems.ts";
import { maskCidr } from "./addresses.ts";
import { FORMATS, type FormatId } from "./formats.ts";
import { formatPath, type Path, readPath, shorten } from "./path.ts";
import { cluster } from "./schema.ts";
import { descriptionOf, fieldsOf, schemaAt } from "./shape.ts";
import { suggestWord } from "./suggest.ts";

type Issue = z.core.$ZodIssue;

/** Fields into which people paste secrets by mistake: their values are never repeated in a message. */
const SECRET_FIELD = /credential|kubeconfig|token|secret|password|key/i;

/** The problems that one finding of the schema stands for, in words for people, but no more than asked for. */
export function describeIssue(
  issue: Issue,
  document: unknown,
  maximum: number,
  schema: z.ZodType = cluster,
): Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, maximum).map((key) => describeUnknownField(schema, issue.path, key));
  }
  const value = readPath(document, issue.path);
  if (issue.code !== "invalid_key" && value === undefined) return [describeMissing(schema, issue.path)];
  if (value === null) return [describeNothing(issue.path)];
  return [describeValue(issue, value)];
}

function describeMissing(schema: z.ZodType, path: Path): Problem {
  const text = formatPath(path);
  const description = descriptionOf(schemaAt(schema, path));
  return makeProblem(text, "required", `${text || "The document"} is missing.`, `Add it. ${description ?? ""}`.trim());
}

function describeNothing(path: Path): Problem {
  const text = formatPath(path);
  return makeProblem(text, "empty", `${text || "The document"} is empty.`, "Fill it in, or leave the field out.");
}

function describeUnknownField(schema: z.ZodType, parent: Path, key: string): Problem {
  const known = fieldsOf(schemaAt(schema, parent));
  const path = formatPath([...parent, key]);
  const message = `There is no field ${shorten(key, 60)} in ${formatPath(parent) || "the document"}.`;
  const suggestion = suggestWord(key, known);
  if (suggestion !== undefined) return makeProblem(path, "unknown-field", message, `Did you mean ${suggestion}?`);
  return makeProblem(path, "unknown-field", message, `Remove it. Fields here are: ${known.join(", ")}.`);
}

function describeValue(issue: Issue, value: unknown): Problem {
  const path = formatPath(issue.path);
  const shown = showValue(issue.path, value);
  switch (issue.code) {
    case "invalid_type":
      return describeType(path, issue.expected, value, shown);
    case "invalid_value":
      return describeChoice(path, issue.values.map(String), value, shown);
    case "too_small":
      return describeSmall(path, issue, shown);
    case "too_big":
      return describeBig(path, issue, shown);
    case "invalid_key":
      return describeKey(path, issue);
    default:
      return describeFormat(path, issue, value, shown);
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
};

function describeType(path: string, expected: string, value: unknown, shown: string): Problem {
  const wanted = TYPE_NAMES[expected] ?? expected;
  const message = `${path || "The document"} must be ${wanted}, not ${typeName(value)}${shown}.`;
  if (expected === "string") return makeProblem(path, "wrong-type", message, "Put the value in quotes.");
  if (typeof value === "string" && ["int", "number", "boolean"].includes(expected)) {
    return makeProblem(path, "wrong-type", message, "Write the value without quotes.");
  }
  return makeProblem(path, "wrong-type", message, `Write ${wanted}.`);
}

function describeChoice(path: string, choices: readonly string[], value: unknown, shown: string): Problem {
  const message = `${path} must be ${choices.length > 1 ? "one of " : ""}${choices.join(", ")}; it is ${typeName(value)}${shown}.`;
  const suggestion = typeof value === "string" ? suggestWord(value, choices) : undefined;
  const next = suggestion === undefined ? undefined : `Did you mean ${suggestion}?`;
  return makeProblem(path, "unknown-value", message, next);
}

function describeSmall(path: string, issue: z.core.$ZodIssueTooSmall, shown: string): Problem {
  if (issue.origin === "string") return makeProblem(path, "empty", `${path} is empty.`);
  if (issue.origin === "array") {
    return makeProblem(path, "too-few", `${path} must have at least ${issue.minimum} item(s).`);
  }
  return makeProblem(path, "out-of-range", `${path} must be at least ${issue.minimum}${shown}.`);
}

function describeBig(path: string, issue: z.core.$ZodIssueTooBig, shown: string): Problem {
  if (issue.origin === "string") {
    return makeProblem(path, "too-long", `${path} must have at most ${issue.maximum} characters.`);
  }
  if (issue.origin === "array") {
    return makeProblem(path, "too-many", `${path} must have at most ${issue.maximum} items.`);
  }
  return makeProblem(path, "out-of-range", `${path} must be at most ${issue.maximum}${shown}.`);
}

function describeKey(path: string, issue: z.core.$ZodIssueInvalidKey): Problem {
  const format = FORMATS[issue.issues[0]?.message as FormatId] ?? FORMATS["label-key"];
  return makeProblem(
    path,
    "bad-key",
    `The key of ${path} is not ${format.expected}.`,
    `Write it like ${format.example}.`,
  );
}

function describeFormat(path: string, issue: Issue, value: unknown, shown: string): Problem {
  const format = FORMATS[issue.message as FormatId];
  if (format === undefined) return makeProblem(path, "bad-format", `${path} is not valid${shown}.`);
  if (issue.message === "keys" && issue.code === "custom") {
    return makeProblem(path, "too-many", `${path} must have at most ${String(issue.params?.maximum)} entries.`);
  }
  const masked = issue.message === "cidr" && typeof value === "string" ? maskCidr(value) : undefined;
  const next = masked === undefined ? `Write it like ${format.example}.` : `Did you mean ${masked}?`;
  return makeProblem(path, format.code, `${path} is not ${format.expected}${shown}.`, next);
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return TYPE_NAMES[typeof value] ?? typeof value;
}

/** `: "10.0.0.1/99"`, or nothing where the value is long, no single value, or perhaps a secret. */
function showValue(path: Path, value: unknown): string {
  const isSimple = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  if (!isSimple || path.some((part) => SECRET_FIELD.test(String(part)))) return "";
  return `: ${JSON.stringify(shorten(String(value), 60))}`;
}
