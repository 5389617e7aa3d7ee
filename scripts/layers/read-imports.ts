import { type ESTree, parseSync, Visitor } from "rolldown/utils";

export interface Import {
  /** As written; undefined where it is computed at run time. */
  readonly specifier: string | undefined;
  readonly line: number;
  readonly typeOnly: boolean;
}

/**
 * Every way in which a source file can name another module: imports and re-exports, of values and of types, for
 * effect, at run time, `import("…")` as a type, `import x = require()`, `require()`, and a URL beside the file (how
 * workers are started).
 */
export function readImports(path: string, text: string): Import[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const lineAt = makeLineFinder(text);
  const add = (node: { readonly start: number }, source: unknown, typeOnly: boolean) =>
    imports.push({ specifier: readLiteral(source), line: lineAt(node.start), typeOnly });
  new Visitor({
    ImportDeclaration: (node) => add(node, node.source, node.importKind === "type"),
    ExportAllDeclaration: (node) => add(node, node.source, node.exportKind === "type"),
    ExportNamedDeclaration: (node) => node.source && add(node, node.source, node.exportKind === "type"),
    ImportExpression: (node) => add(node, node.source, false),
    TSImportType: (node) => add(node, node.source, true),
    TSExternalModuleReference: (node) => add(node, node.expression, false),
    CallExpression: (node) => isRequire(node) && add(node, node.arguments[0], false),
    NewExpression: (node) => isModuleUrl(node) && add(node, node.arguments[0], false),
  }).visit(program);
  return imports;
}

export function makeLineFinder(text: string): (offset: number) => number {
  return (offset) => text.slice(0, offset).split("\n").length;
}

function isRequire(node: ESTree.CallExpression): boolean {
  return node.callee.type === "Identifier" && node.callee.name === "require" && node.arguments.length === 1;
}

function isModuleUrl(node: ESTree.NewExpression): boolean {
  if (node.callee.type !== "Identifier" || node.callee.name !== "URL") return false;
  return /^\..*\.[cm]?[jt]sx?$/.test(readLiteral(node.arguments[0]) ?? "");
}

function readLiteral(node: unknown): string | undefined {
  const literal = node as ESTree.Expression | undefined;
  if (literal?.type === "ParenthesizedExpression") return readLiteral(literal.expression);
  if (literal?.type === "Literal" && typeof literal.value === "string") return literal.value;
  if (literal?.type === "TemplateLiteral" && literal.expressions.length === 0)
    return literal.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}
