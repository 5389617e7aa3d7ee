import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";
import { makeLineFinder } from "../layers/read-imports.ts";
import { environmentInConfig } from "./environment-in-config.ts";
import { listSources } from "./list-sources.ts";
import { noLiteralText } from "./no-literal-text.ts";
import { noShell } from "./no-shell.ts";
import type { Rule } from "./rule.ts";
import { staticLogText } from "./static-log-text.ts";

export const RULES: readonly Rule[] = [staticLogText, noShell, environmentInConfig, noLiteralText];

const FOLDERS = ["contract", "drover", "web", "scripts", "bench", "e2e"];

/** Everything that breaks a rule in a tree, each as `file:line: what (rule)`. */
export function checkRules(root: string): string[] {
  return listSources(root, FOLDERS).flatMap((file) => checkFile(file, readFileSync(join(root, file), "utf8")));
}

export function checkFile(file: string, text: string): string[] {
  const rules = RULES.filter((rule) => rule.covers(file));
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) return [`${file}:1: cannot be parsed: ${errors[0]?.message}`];
  const lineAt = makeLineFinder(text);
  const complaints: string[] = [];
  for (const rule of rules) {
    const report = (node: { readonly start: number }, message: string) =>
      complaints.push(`${file}:${lineAt(node.start)}: ${message} (${rule.name})`);
    new Visitor(rule.visit(report)).visit(program);
  }
  return complaints;
}
