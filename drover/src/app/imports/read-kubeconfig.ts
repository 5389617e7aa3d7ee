import { DroverError, makeProblem, type Problem } from "@drover/contract";
import { stringify } from "yaml";
import { refused } from "../declare-cluster.ts";
import type { ReadResult } from "../read-documents.ts";

/** What a kubeconfig may do on the machine that reads it, as `spec.imported.allow` names it. */
export type Allowance = "exec" | "authProvider" | "files" | "proxy" | "insecureTls";
export type Allowed = Readonly<Partial<Record<Allowance, boolean | undefined>>>;

type Fields = Readonly<Record<string, unknown>>;

interface Part {
  readonly name: string;
  readonly fields: Fields;
}

/** A kubeconfig as plain data. Nothing in it is trusted. */
export interface Kubeconfig {
  readonly contexts: readonly Part[];
  readonly clusters: readonly Part[];
  readonly users: readonly Part[];
}

/** Everything that one context of a kubeconfig needs, and nothing else. */
export interface ContextParts {
  readonly context: Part;
  readonly cluster: Part;
  readonly user: Part;
}

export function readKubeconfig(read: ReadResult): Kubeconfig {
  if (!read.ok) throw refused(read.problems);
  const [document, ...others] = read.documents;
  const data = document?.data;
  if (!isMap(data) || others.length > 0 || data["kind"] !== "Config") {
    throw new DroverError("document-unparsable", "The text is not one kubeconfig (kind: Config).");
  }
  return {
    contexts: partsOf(data["contexts"], "context"),
    clusters: partsOf(data["clusters"], "cluster"),
    users: partsOf(data["users"], "user"),
  };
}

const isMap = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

function partsOf(list: unknown, content: string): readonly Part[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isMap).flatMap((item) => {
    const { name } = item;
    const fields = item[content];
    return typeof name === "string" && isMap(fields) ? [{ name, fields }] : [];
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

interface Danger {
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

/** A kubeconfig with nothing in it but what one context needs. */
export function writeContext({ context, cluster, user }: ContextParts): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": context.name,
    contexts: [{ name: context.name, context: context.fields }],
    clusters: [{ name: cluster.name, cluster: cluster.fields }],
    users: [{ name: user.name, user: user.fields }],
  });
}
