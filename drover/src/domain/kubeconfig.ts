import { makeProblem, type Problem } from "@drover/contract";
import { type Fields, isFields } from "./json-fields.ts";

/** What a kubeconfig may do on the machine that reads it, as `spec.imported.allow` names it. */
export type Allowance = "exec" | "authProvider" | "files" | "proxy" | "insecureTls";
export type Allowed = Readonly<Partial<Record<Allowance, boolean | undefined>>>;

export interface KubeconfigPart {
  readonly name: string;
  readonly fields: Fields;
}

/** A kubeconfig as plain data. Nothing in it is trusted. */
export interface Kubeconfig {
  readonly currentContext: string | null;
  readonly contexts: readonly KubeconfigPart[];
  readonly clusters: readonly KubeconfigPart[];
  readonly users: readonly KubeconfigPart[];
}

/** Everything that one context of a kubeconfig needs, and nothing else. */
export interface ContextParts {
  readonly context: KubeconfigPart;
  readonly cluster: KubeconfigPart;
  readonly user: KubeconfigPart;
}

/** Null for what is no kubeconfig. */
export function kubeconfigOf(data: unknown): Kubeconfig | null {
  if (!isFields(data) || data["kind"] !== "Config") return null;
  const current = data["current-context"];
  return {
    currentContext: typeof current === "string" && current !== "" ? current : null,
    contexts: partsOf(data["contexts"], "context"),
    clusters: partsOf(data["clusters"], "cluster"),
    users: partsOf(data["users"], "user"),
  };
}

function partsOf(list: unknown, content: string): readonly KubeconfigPart[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isFields).flatMap((item) => {
    const { name } = item;
    const fields = item[content];
    return typeof name === "string" && isFields(fields) ? [{ name, fields }] : [];
  });
}

/** The parts of a context, or what is missing of them. */
export function findContext(
  kubeconfig: Kubeconfig,
  name: string,
  path: string,
): { readonly parts: ContextParts } | { readonly problem: Problem } {
  const context = kubeconfig.contexts.find((one) => one.name === name);
  if (context === undefined) {
    const known = kubeconfig.contexts.map((one) => one.name).slice(0, SHOWN);
    const next = known.length === 0 ? undefined : `Choose one of: ${known.join(", ")}.`;
    return { problem: makeProblem(path, "unknown-value", `The kubeconfig has no context "${name}".`, next) };
  }
  const cluster = kubeconfig.clusters.find((one) => one.name === context.fields["cluster"]);
  const user = kubeconfig.users.find((one) => one.name === context.fields["user"]);
  if (cluster !== undefined && user !== undefined) return { parts: { context, cluster, user } };
  const what = cluster === undefined ? "cluster" : "user";
  return {
    problem: makeProblem(path, "required", `The kubeconfig lacks the ${what} that the context "${name}" names.`),
  };
}

const SHOWN = 20;

export interface Danger {
  readonly allowance: Allowance;
  readonly why: string;
}

/** What using the context would do on the machine of whoever uses it. */
export function findDangers({ cluster, user }: ContextParts): readonly Danger[] {
  const dangers: Danger[] = [];
  const add = (allowance: Allowance, why: string) => void dangers.push({ allowance, why });
  const has = (fields: Fields, key: string) => fields[key] !== undefined && fields[key] !== null;
  if (has(user.fields, "exec")) add("exec", "It runs a program to get its credentials (exec).");
  if (has(user.fields, "auth-provider")) add("authProvider", "It uses an authentication provider (auth-provider).");
  for (const [fields, keys] of [
    [cluster.fields, ["certificate-authority"]],
    [user.fields, ["client-certificate", "client-key", "tokenFile"]],
  ] as const) {
    for (const key of keys) if (has(fields, key)) add("files", `It reads a file of the machine (${key}).`);
  }
  if (has(cluster.fields, "proxy-url")) add("proxy", "It goes through a proxy (proxy-url).");
  if (cluster.fields["insecure-skip-tls-verify"] === true) {
    add("insecureTls", "It accepts any certificate (insecure-skip-tls-verify).");
  }
  const { server } = cluster.fields;
  if (typeof server !== "string" || !server.startsWith("https://")) {
    add("insecureTls", "It sends credentials without encryption (server is not https).");
  }
  return dangers;
}
