import type { ESTree, VisitorObject } from "rolldown/utils";

export type Report = (node: { readonly start: number }, message: string) => void;

/** A lint rule of this repository: which files it looks at, and what it looks for in them. */
export interface Rule {
  readonly name: string;
  readonly covers: (file: string) => boolean;
  readonly visit: (report: Report) => VisitorObject;
}

/** The last name of a chain: `log` of `request.log`. */
export function lastName(node: ESTree.Expression | ESTree.Super): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression" && !node.computed) return node.property.name;
  if (node.type === "CallExpression") return lastName(node.callee);
  return undefined;
}

/** Whether an expression puts a string together out of parts that are not written out. */
export function isAssembled(node: ESTree.Argument | ESTree.ArrayExpressionElement | undefined): boolean {
  if (node?.type === "TemplateLiteral") return node.expressions.length > 0;
  return node?.type === "BinaryExpression" && node.operator === "+" && !isSum(node);
}

const isSum = (node: ESTree.BinaryExpression): boolean => [node.left, node.right].every(isNumber);

const isNumber = (node: ESTree.Expression | ESTree.PrivateIdentifier): boolean =>
  node.type === "Literal" && typeof node.value === "number";
