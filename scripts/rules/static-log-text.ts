import type { ESTree } from "rolldown/utils";
import { lastName, type Rule } from "./rule.ts";

const LEVELS = new Set(["trace", "debug", "info", "warn", "error", "fatal"]);
const LOGGER = /(^log|^logger|Log|Logger)$/;

/**
 * A log message is one constant text, so that it can be searched, counted and translated; what varies goes into the
 * fields beside it: `log.warn({ cluster }, "cluster is unreachable")`.
 */
export const staticLogText: Rule = {
  name: "static-log-text",
  covers: () => true,
  visit: (report) => ({
    CallExpression(node) {
      if (!isLogCall(node)) return;
      const texts = node.arguments.filter(isText);
      if (texts.length === 1 && node.arguments.length <= 2) return;
      report(node, "a log call takes one literal text and at most one object of fields");
    },
  }),
};

function isLogCall({ callee }: ESTree.CallExpression): boolean {
  if (callee.type !== "MemberExpression" || callee.computed || !LEVELS.has(callee.property.name)) return false;
  return LOGGER.test(lastName(callee.object) ?? "");
}

function isText(node: ESTree.Argument): boolean {
  if (node.type === "TemplateLiteral") return node.expressions.length === 0;
  return node.type === "Literal" && typeof node.value === "string";
}
