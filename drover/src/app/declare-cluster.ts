import {
  API_VERSION,
  type Cluster,
  type ClusterSpec,
  DroverError,
  type JobKind,
  KIND,
  makeProblem,
  type Problem,
  validateCluster,
} from "@drover/contract";
import { diffSpecs, jobKindOf } from "../domain/spec-diff.ts";
import type { ClusterRecord, DeclareResult, Labels } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import { checkFleet } from "./check-fleet.ts";
import { makeLineOf } from "./read-documents.ts";

export interface Declaration extends Request {
  /** YAML or JSON with exactly one cluster. */
  readonly text: string;
  /** As in the store: the version the author had read, or null for a cluster that must be new. */
  readonly expectedVersion?: number | null;
}

export interface SpecDeclaration extends Request {
  readonly name: string;
  readonly spec: ClusterSpec;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly expectedVersion?: number | null;
  /** The plan that was shown and agreed to. */
  readonly planHash?: string;
}

/** From text to stored desired state. Whatever is wrong is said all at once, and then nothing was stored. */
export async function declareCluster(app: App, declaration: Declaration): Promise<DeclareResult> {
  const { text, ...request } = declaration;
  const { metadata, spec } = await readCluster(app, text);
  const { name, labels = {}, annotations = {} } = metadata;
  return await declareSpec(app, { ...request, name, spec, labels, annotations });
}

export async function declareSpec(app: App, declaration: SpecDeclaration): Promise<DeclareResult> {
  const existing = await app.store.read.findCluster(declaration.name);
  assertPossible(declaration, existing);
  const { name, spec } = declaration;
  const clashes = await checkFleet(app, { apiVersion: API_VERSION, kind: KIND, metadata: { name }, spec });
  if (clashes.length > 0) throw refused(clashes);
  return await app.store.desired.declareCluster({
    ...declaration,
    jobKind: chooseJobKind(app, declaration.spec, existing),
  });
}

/** The one cluster that a text declares. `name` is what it has to be called, where that is known already. */
export async function readCluster(
  app: Pick<App, "providers" | "readDocuments">,
  text: string,
  name?: string,
): Promise<Cluster> {
  const read = await app.readDocuments(text);
  if (!read.ok) throw refused(read.problems);
  const [document, ...others] = read.documents;
  if (document === undefined || others.length > 0) {
    throw new DroverError(
      "document-unparsable",
      `One cluster is expected; the text has ${read.documents.length} documents.`,
    );
  }
  const checked = checkDocument(app, document.data);
  if (checked.ok) {
    const { cluster } = checked;
    if (name === undefined || cluster.metadata.name === name) return cluster;
    const message = `The document names "${cluster.metadata.name}", the request names "${name}".`;
    throw refused([makeProblem("metadata.name", "unknown-value", message, `Write ${name}; a cluster keeps its name.`)]);
  }
  const lineOf = makeLineOf(document);
  throw refused(
    checked.problems.map((problem) => ({
      ...problem,
      message: `${problem.message} (line ${lineOf(problem.path)})`,
    })),
  );
}

export type CheckedDocument =
  | { readonly ok: true; readonly cluster: Cluster }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Whether data is a cluster, by the contract and by the provider that it names. */
export function checkDocument(app: Pick<App, "providers">, data: unknown): CheckedDocument {
  const validation = validateCluster(data);
  if (!validation.ok) return { ok: false, problems: validation.problems };
  const { cluster } = validation;
  const problems = app.providers.get(cluster.spec.provider)?.validate(cluster.spec) ?? [];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, cluster };
}

export const refused = (problems: readonly Problem[]) =>
  new DroverError("validation-failed", `The document was refused: ${problems.length} problem(s), nothing was stored.`, {
    problems,
  });

/**
 * What can never be brought about is refused before it is written down. A deletion is a request of its own, with its own
 * checks: a declaration that says `absent` would be stored together with a job that creates or repairs the cluster.
 */
export function assertPossible(
  { name, spec }: Pick<SpecDeclaration, "name" | "spec">,
  existing: ClusterRecord | null,
): void {
  if (spec.desiredState === "absent") {
    if (existing?.desiredState === "absent") {
      throw new DroverError(
        "cluster-deleting",
        `The cluster "${name}" is declared absent; declare it present to keep it.`,
      );
    }
    const next = `Run \`drover delete ${name}\` to delete it, or write present to keep it.`;
    throw refused([
      makeProblem("spec.desiredState", "unknown-value", "A declaration does not delete a cluster.", next),
    ]);
  }
  if (existing === null) return;
  const { change, changes } = diffSpecs(existing.spec, spec);
  if (change !== "forbidden") return;
  const forbidden = changes.filter((one) => one.change === "forbidden");
  const told = forbidden.map(({ path, reason }) => `${path}: ${reason}`).join(" ");
  throw new DroverError("change-forbidden", `Of the cluster "${name}" this cannot be changed. ${told}`, {
    details: { paths: forbidden.map(({ path }) => path) },
  });
}

/** A cluster that was never brought about is still to be made, however often its declaration changes. */
export function chooseJobKind(app: App, spec: ClusterSpec, existing: ClusterRecord | null): JobKind | null {
  if (existing === null || existing.observedGeneration === 0) {
    const creates = app.providers.get(spec.provider)?.capabilities.createsClusters ?? spec.imported === undefined;
    return creates ? "create" : "import";
  }
  // A deletion that gave up may have taken parts with it.
  if (existing.desiredState === "absent") return "repair";
  return jobKindOf(diffSpecs(existing.spec, spec));
}
