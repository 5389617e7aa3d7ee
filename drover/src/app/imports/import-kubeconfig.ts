import {
  API_VERSION,
  type Cluster,
  DroverError,
  isDroverError,
  KIND,
  makeProblem,
  type Problem,
} from "@drover/contract";
import { type Allowed, type ContextParts, findContext, findDangers, type Kubeconfig } from "../../domain/kubeconfig.ts";
import type { Idempotency, Labels } from "../../ports/store/index.ts";
import type { App, Request } from "../app.ts";
import { assertMayDeclare, type Caller } from "../caller.ts";
import { checkDocument, declareSpec, refused } from "../declare-cluster.ts";
import { KUBECONFIG_ENTRY, keepImportedKubeconfig, letGoOfImported, newImportedName } from "../secrets.ts";
import { readKubeconfig, writeContext } from "./read-kubeconfig.ts";

export interface KubeconfigImport {
  readonly kubeconfig: string;
  readonly contexts: readonly ImportedContext[];
  readonly allow: Allowed;
  readonly dryRun: boolean;
}

interface ImportedContext {
  readonly context: string;
  /** What the cluster will be called. */
  readonly name: string;
  readonly labels?: Labels | undefined;
}

/** What becomes of one cluster: nothing while there are problems. */
export interface ImportResult {
  readonly cluster: string;
  /** Where in the text, for those that come from lines. */
  readonly line: number | null;
  readonly jobId: string | null;
  readonly problems: readonly Problem[];
}

interface Judged {
  readonly asked: ImportedContext;
  readonly parts: ContextParts | null;
  readonly cluster: Cluster | null;
  /** Under which the kubeconfig will be kept. */
  readonly secret: string;
  readonly problems: readonly Problem[];
}

/**
 * Declares clusters that exist already, locked. With any problem nothing is imported, but a name that is taken only keeps
 * its own context out: a repeated request answers as the first one did. A dry run only says what would be.
 */
export async function importKubeconfig(
  app: App,
  caller: Caller,
  order: KubeconfigImport,
  request: Request,
): Promise<readonly ImportResult[]> {
  for (const { labels = {} } of order.contexts) assertMayDeclare(caller, labels);
  const kubeconfig = readKubeconfig(await app.readDocuments(order.kubeconfig));
  const judged = order.contexts.map((_, index) => judge(app, kubeconfig, order, index));
  const problems = judged.flatMap((one) => one.problems);
  if (order.dryRun) return await Promise.all(judged.map((one, index) => tellOf(app, one, index)));
  if (problems.length > 0) throw refusal(problems);
  const results: ImportResult[] = [];
  for (const [index, one] of judged.entries()) results.push(await importOne(app, one, index, request));
  const taken = results.flatMap((one) => one.problems);
  if (taken.length === results.length) {
    throw new DroverError("cluster-exists", "Clusters with these names exist already.", { problems: taken });
  }
  return results;
}

async function tellOf(app: App, { asked, problems }: Judged, index: number): Promise<ImportResult> {
  const existing = await app.store.read.findCluster(asked.name);
  const taken = existing === null ? [] : [nameTaken(asked, index)];
  return { cluster: asked.name, line: null, jobId: null, problems: [...problems, ...taken] };
}

const nameTaken = ({ name }: ImportedContext, index: number): Problem =>
  makeProblem(`contexts[${index}].name`, "duplicate", `A cluster named "${name}" exists already.`);

function refusal(problems: readonly Problem[]): DroverError {
  if (!problems.every(({ code }) => code === "kubeconfig-dangerous")) return refused(problems);
  const detail = [...new Set(problems.map(({ message }) => message))].join(" ");
  return new DroverError("kubeconfig-refused", `Nothing was imported. ${detail}`, { problems });
}

function judge(app: App, kubeconfig: Kubeconfig, order: KubeconfigImport, index: number): Judged {
  const asked = order.contexts[index] as ImportedContext;
  const secret = newImportedName(asked.name);
  const path = `contexts[${index}]`;
  const problems: Problem[] = [];
  if (order.contexts.findIndex(({ name }) => name === asked.name) < index) {
    problems.push(makeProblem(`${path}.name`, "duplicate", `Two clusters would be named "${asked.name}".`));
  }
  const found = findContext(kubeconfig, asked.context, `${path}.context`);
  if ("problem" in found) return { asked, secret, parts: null, cluster: null, problems: [...problems, found.problem] };
  for (const { allowance, why } of findDangers(found.parts)) {
    if (order.allow[allowance] === true) continue;
    const next = `Remove it from the kubeconfig, or allow it with allow.${allowance}.`;
    problems.push(makeProblem(`${path}.context`, "kubeconfig-dangerous", `"${asked.context}": ${why}`, next));
  }
  const checked = checkDocument(app, documentOf(asked, secret, order.allow));
  if (checked.ok) return { asked, secret, parts: found.parts, cluster: checked.cluster, problems };
  const more = checked.problems.map((one) => ({ ...one, path: `${path}: ${one.path}` }));
  return { asked, secret, parts: found.parts, cluster: null, problems: [...problems, ...more] };
}

function documentOf({ name, context, labels = {} }: ImportedContext, secret: string, allow: Allowed): unknown {
  const allowed = Object.entries(allow).filter(([, value]) => value === true);
  const imported = {
    kubeconfig: { name: secret, key: KUBECONFIG_ENTRY },
    ...{ context, locked: true },
    ...(allowed.length === 0 ? {} : { allow: Object.fromEntries(allowed) }),
  };
  return { apiVersion: API_VERSION, kind: KIND, metadata: { name, labels }, spec: { provider: "imported", imported } };
}

/**
 * The secret comes first, under a name of its own: a cluster that names a secret which is not there could never be looked
 * at, and nobody else's is written over. A crash in between leaves a secret that nothing uses.
 */
async function importOne(app: App, judged: Judged, index: number, request: Request): Promise<ImportResult> {
  const { asked, secret, parts, cluster } = judged;
  if (parts === null || cluster === null) throw new Error("A context without problems has all of its parts.");
  const { idempotency, ...who } = request;
  await keepImportedKubeconfig(app, request.actor, { name: secret, cluster: asked.name, text: writeContext(parts) });
  const result = { cluster: asked.name, line: null } as const;
  try {
    const declared = await declareSpec(app, {
      ...{ ...who, name: asked.name, labels: asked.labels ?? {}, annotations: {}, expectedVersion: null },
      spec: cluster.spec,
      ...(idempotency === undefined ? {} : { idempotency: oneOf(idempotency, index) }),
    });
    // The answer of an earlier request with the same key: its secret is the one that is used.
    const isRepeated = declared.cluster.spec.imported?.kubeconfig.name !== secret;
    if (isRepeated) await letGoOfImported(app, request.actor, secret);
    return { ...result, jobId: declared.job?.id ?? null, problems: [] };
  } catch (error) {
    // After anything else the cluster may have been declared all the same, and need its secret.
    if (!isDroverError(error, "cluster-exists")) throw error;
    await letGoOfImported(app, request.actor, secret);
    return { ...result, jobId: null, problems: [nameTaken(asked, index)] };
  }
}

/** Each cluster of a request is declared by a key of its own. */
const oneOf = ({ key, requestHash }: Idempotency, index: number): Idempotency => ({
  key: `${key}/${index}`,
  requestHash,
});
