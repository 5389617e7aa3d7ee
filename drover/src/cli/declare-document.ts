import { clusterRoutes } from "@drover/contract";
import type { CallAnswer } from "./client/api-client.ts";
import { type ApiError, isApiError } from "./client/api-error.ts";
import { type FileDocument, nameOf } from "./read-files.ts";
import { renderProblem, withoutLine } from "./render/problem.ts";
import type { Session } from "./session.ts";

export type Accepted = CallAnswer<typeof clusterRoutes.declareCluster>;

export interface Declared {
  readonly accepted: Accepted;
  readonly verb: "created" | "changed" | "unchanged";
}

export interface DeclareOptions {
  readonly reason?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly consent?: boolean | undefined;
}

/** Declares one document: a new cluster, or a change on top of what is there right now. */
export async function declareDocument(
  { client }: Session,
  document: Pick<FileDocument, "data">,
  { reason, dryRun, consent }: DeclareOptions,
): Promise<Declared> {
  const name = nameOf(document);
  const current = name === null ? null : await findCurrent(client, name);
  if (name === null || current === null) {
    const query = { reason, dryRun };
    const accepted = await client.call(clusterRoutes.declareCluster, { query, body: document.data });
    return { accepted, verb: "created" };
  }
  const accepted = await client.call(clusterRoutes.editCluster, {
    params: { name },
    query: { reason, dryRun, consent },
    body: document.data,
    ifMatch: current.etag,
  });
  const isSame = accepted.generation === current.generation && accepted.jobId === null;
  return { accepted, verb: isSame ? "unchanged" : "changed" };
}

async function findCurrent(client: Session["client"], name: string) {
  try {
    const { body, etag } = await client.callWithEtag(clusterRoutes.getCluster, { params: { name } });
    return { etag: etag ?? "*", generation: body.metadata.generation ?? 0 };
  } catch (error) {
    if (isApiError(error, "cluster-not-found")) return null;
    throw error;
  }
}

/** A refusal as one reads it beside the file: every problem with its line. */
export function describeRefusal(error: ApiError, { file, lineOf }: Pick<FileDocument, "file" | "lineOf">): string {
  const { problems = [], hint = "" } = error.answer;
  if (problems.length === 0) return `${file}:${lineOf("")}: ${error.message} (${error.code})\n${hint}`;
  const listed = problems.map((problem) => `${file}:${lineOf(problem.path)}: ${renderProblem(withoutLine(problem))}`);
  return [`The document was refused (${error.code}); nothing was stored.`, ...listed].join("\n");
}
