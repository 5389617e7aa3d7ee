import type { ESTree } from "rolldown/utils";
import { isAssembled, lastName, type Report, type Rule } from "./rule.ts";

const MODULES = new Set(["child_process", "node:child_process"]);
const SHELLS = new Set(["exec", "execSync"]);
const STARTERS = new Set(["spawn", "spawnSync", "execFile", "execFileSync", "fork"]);

/**
 * Programs are started with a list of arguments, never through a shell, and the text of a command is never put
 * together out of values: that is how one becomes an option or a second command.
 */
export const noShell: Rule = {
  name: "no-shell",
  covers: () => true,
  visit: (report) => {
    const namespaces = new Set<string>();
    return {
      ImportDeclaration: (node) => {
        if (!MODULES.has(node.source.value)) return;
        for (const specifier of node.specifiers) {
          if (specifier.type !== "ImportSpecifier") namespaces.add(specifier.local.name);
          else if (SHELLS.has(nameOf(specifier.imported)))
            report(specifier, `${nameOf(specifier.imported)} runs a shell`);
        }
      },
      MemberExpression: (node) => {
        if (node.object.type !== "Identifier" || !namespaces.has(node.object.name)) return;
        const name = lastName(node);
        if (name === undefined || SHELLS.has(name)) report(node, `${name ?? "a computed function"} may run a shell`);
      },
      Property: (node) => {
        if (nameOf(node.key) === "shell" && isLiteral(node.value, true)) report(node, "shell: true runs a shell");
      },
      CallExpression: (node) => {
        const startsProgram = isStarter(node.callee, namespaces) || isConnectorRun(node.callee);
        if (startsProgram) judgeCommand(node, report);
        const [program, list] = node.arguments;
        if (program && list?.type === "ArrayExpression") judgeShellScript([program, ...list.elements], report);
      },
      ArrayExpression: (node) => judgeShellScript(node.elements, report),
    };
  },
};

/** A function of node:child_process: by its own name, or as a member of the module; `random.fork()` is another. */
function isStarter(callee: ESTree.Expression | ESTree.Super, namespaces: ReadonlySet<string>): boolean {
  if (!STARTERS.has(lastName(callee) ?? "")) return false;
  if (callee.type !== "MemberExpression") return true;
  return callee.object.type === "Identifier" && namespaces.has(callee.object.name);
}

function judgeCommand(node: ESTree.CallExpression, report: Report): void {
  if (isAssembled(node.arguments[0])) report(node, "the command is put together out of values; pass them as arguments");
  for (const argument of node.arguments) {
    if (argument.type !== "ObjectExpression") continue;
    for (const property of argument.properties) {
      if (property.type !== "Property" || nameOf(property.key) !== "shell") continue;
      if (!isLiteral(property.value, false) && !isLiteral(property.value, true))
        report(property, "shell must be false");
    }
  }
}

function isConnectorRun(callee: ESTree.Expression | ESTree.Super): boolean {
  if (callee.type !== "MemberExpression" || lastName(callee) !== "run") return false;
  return /connector$/i.test(lastName(callee.object) ?? "");
}

/** `sh -c script`: the script of a shell is constant, its values come as `$1`, `$2` behind it. */
function judgeShellScript(words: readonly (ESTree.Argument | ESTree.ArrayExpressionElement)[], report: Report): void {
  const shell = words.findIndex((word) => isShell(word));
  const flag = words.findIndex((word, index) => shell !== -1 && index > shell && isLiteral(word, "-c"));
  const script = flag === -1 ? undefined : words[flag + 1];
  if (script && isAssembled(script)) {
    report(script, "the script behind -c is put together out of values; pass them as $1, $2 …");
  }
}

function isShell(node: unknown): boolean {
  const literal = node as ESTree.Expression | null | undefined;
  return literal?.type === "Literal" && /^(.*\/)?(ba|da|z|k|a)?sh$/.test(String(literal.value));
}

function nameOf(node: { readonly type: string; readonly name?: unknown; readonly value?: unknown }): string {
  return String(node.type === "Identifier" ? node.name : node.value);
}

function isLiteral(node: unknown, value: unknown): boolean {
  const literal = node as ESTree.Expression | null | undefined;
  return literal?.type === "Literal" && literal.value === value;
}
