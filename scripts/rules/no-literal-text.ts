import type { ESTree } from "rolldown/utils";
import type { Rule } from "./rule.ts";

/** Attributes that a person reads or hears. */
const SPOKEN = new Set([
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "title",
  "alt",
  "label",
  "description",
]);
const PLACEHOLDER = "placeholder";

/** Letters of any script, two in a row: words. Signs, numbers and single letters are no text. */
const WORDS = /\p{Letter}{2}/u;

/**
 * Every text of the page comes from the catalogues, also what only screen readers say: a text in a component is there in
 * one language only. Names that are never translated are written as an expression: `{"Drover"}`.
 */
export const noLiteralText: Rule = {
  name: "no-literal-text",
  covers: (file) => /^web\/src\/(components|pages|app)\/.*\.tsx$/.test(file) && !file.endsWith(".test.tsx"),
  visit: (report) => ({
    JSXText: (node) => {
      if (WORDS.test(node.value))
        report(node, `the text ${JSON.stringify(node.value.trim())} is not in the catalogues`);
    },
    JSXAttribute: (node) => {
      const name = node.name.type === "JSXIdentifier" ? node.name.name : "";
      const text = SPOKEN.has(name) || name === PLACEHOLDER ? literalOf(node.value) : undefined;
      if (text === undefined || !WORDS.test(text) || (name === PLACEHOLDER && isExample(text))) return;
      report(node, `${name}="${text}" is not in the catalogues`);
    },
  }),
};

/** An example of what to type, such as v1.34.4 or env=dev, is the same in every language. */
const isExample = (text: string): boolean => /^\S*[\d=]\S*$/.test(text);

function literalOf(value: ESTree.JSXAttribute["value"]): string | undefined {
  const node = value?.type === "JSXExpressionContainer" ? value.expression : value;
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "TemplateLiteral") return undefined;
  return node.quasis.map(({ value: { cooked } }) => cooked ?? "").join("");
}
