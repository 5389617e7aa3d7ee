import { parse } from "yaml";
import { type ContextParts, findContext, findDangers, kubeconfigOf } from "../../domain/kubeconfig.ts";
import { KubernetesError, type KubernetesTarget } from "../../ports/kubernetes-api.ts";

/** The context that a target means, after everything in it that is dangerous was found to be allowed. */
export function readTarget({ kubeconfig: text, context, allow = {} }: KubernetesTarget): ContextParts {
  const kubeconfig = kubeconfigOf(parseText(text));
  if (kubeconfig === null) throw refuse("It is not a kubeconfig (kind: Config).");
  const name = context ?? kubeconfig.currentContext;
  if (name === null) throw refuse("It has no current context, and none was chosen.");
  const found = findContext(kubeconfig, name, "context");
  if ("problem" in found) throw refuse(found.problem.message);
  const dangers = findDangers(found.parts).filter(({ allowance }) => allow[allowance] !== true);
  if (dangers.length > 0) {
    const next = [...new Set(dangers.map(({ allowance }) => `spec.imported.allow.${allowance}`))].join(", ");
    throw refuse(`${dangers.map(({ why }) => why).join(" ")} Remove it from the kubeconfig, or allow it with ${next}.`);
  }
  return found.parts;
}

export const refuse = (why: string): KubernetesError =>
  new KubernetesError("forbidden-kubeconfig", `The kubeconfig is not used: ${why}`);

function parseText(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: "error" });
  } catch {
    // The parser's complaint would quote the text, which is full of secrets.
    throw refuse("It cannot be read as YAML.");
  }
}
