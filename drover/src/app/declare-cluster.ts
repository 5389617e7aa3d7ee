import { type Cluster, DroverError, type JobKind, type Problem, validateCluster } from "@drover/contract";
import type { Actor, ClusterRecord, DeclareResult, Idempotency, Store } from "../ports/store/index.ts";
import { readDocuments } from "./read-documents.ts";

export interface Declaration {
  /** YAML or JSON with exactly one cluster. */
  readonly text: string;
  readonly actor: Actor;
  readonly reason?: string;
  /** As in the store: the version the author had read, or null for a cluster that must be new. */
  readonly expectedVersion?: number | null;
  readonly idempotency?: Idempotency;
}

/** From text to stored desired state. Whatever is wrong is said all at once, and then nothing was stored. */
export async function declareCluster(
  store: Pick<Store, "desired" | "read">,
  declaration: Declaration,
): Promise<DeclareResult> {
  const { metadata, spec } = readCluster(declaration.text);
  const { actor, reason, expectedVersion, idempotency } = declaration;
  const existing = await store.read.findCluster(metadata.name);
  return await store.desired.declareCluster({
    name: metadata.name,
    spec,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    jobKind: chooseJobKind(spec, existing),
    actor,
    ...(reason === undefined ? {} : { reason }),
    ...(expectedVersion === undefined ? {} : { expectedVersion }),
    ...(idempotency === undefined ? {} : { idempotency }),
  });
}

export function readCluster(text: string): Cluster {
  const read = readDocuments(text);
  if (!read.ok) throw refused(read.problems);
  const [document, ...others] = read.documents;
  if (document === undefined || others.length > 0) {
    throw new DroverError(
      "document-unparsable",
      `One cluster is expected; the text has ${read.documents.length} documents.`,
    );
  }
  const validation = validateCluster(document.data);
  if (!validation.ok) {
    throw refused(
      validation.problems.map((problem) => ({
        ...problem,
        message: `${problem.message} (line ${document.lineOf(problem.path)})`,
      })),
    );
  }
  return validation.cluster;
}

const refused = (problems: readonly Problem[]) =>
  new DroverError("validation-failed", `The document was refused: ${problems.length} problem(s), nothing was stored.`, {
    problems,
  });

/** A cluster that was never brought about is still to be made, however often its declaration changes. */
function chooseJobKind(spec: Cluster["spec"], existing: ClusterRecord | null): JobKind {
  if (existing === null || existing.observedGeneration === 0) return spec.provider === "imported" ? "import" : "create";
  return spec.kubernetes?.version === existing.spec.kubernetes?.version ? "update" : "upgrade";
}
