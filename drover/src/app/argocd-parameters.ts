import { DroverError } from "@drover/contract";
import { type LabelSelector, parseLabelSelector } from "../domain/labels.ts";
import type { Sighting } from "../domain/sighting.ts";
import type { ClusterBrief, ClusterRecord } from "../ports/store/index.ts";
import type { App } from "./app.ts";

const PAGE = 500;

/**
 * The clusters for an ApplicationSet. Argo CD deletes the applications of every cluster that is missing from the
 * answer, so an answer is given only when it is known to be whole, and an empty one only when everything that ever
 * was here has been deleted on purpose.
 */
export async function listArgocdParameters(
  app: App,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>[]> {
  const selector = readSelector(parameters);
  const found: Record<string, string>[] = [];
  let seen = 0;
  for (let after: string | undefined; ; ) {
    const page = await app.store.read.listClusters({
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
      selector,
    });
    const briefs = await app.store.read.briefClusters(page.items.map(({ id }) => id));
    seen += page.items.length;
    for (const cluster of page.items.filter(isWanted)) found.push(toParameters(cluster, briefs.get(cluster.id)));
    if (page.next === null) break;
    after = page.next;
  }
  if (seen === 0) await assertKnowsFleet(app);
  return found;
}

function readSelector(parameters: Readonly<Record<string, unknown>>): LabelSelector {
  const { selector = "", ...unknown } = parameters;
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw new DroverError("request-invalid", `There is no parameter ${JSON.stringify(name)}; known is: selector.`);
  }
  const parsed = parseLabelSelector(String(selector));
  if (parsed.ok) return parsed.selector;
  throw new DroverError("request-invalid", `The selector cannot be read: ${parsed.errors[0]?.message ?? ""}`);
}

/** A cluster that was never there has nothing to deploy to; one that is on its way out must not get anything new. */
const isWanted = ({ desiredState, observedGeneration }: ClusterRecord) =>
  desiredState === "present" && observedGeneration > 0;

/** A store that has never had a cluster is most likely the wrong store, or one that was not restored yet. */
async function assertKnowsFleet(app: App): Promise<void> {
  const { items } = await app.store.read.listJobs({ limit: 1 });
  if (items.length > 0) return;
  throw new DroverError("not-authoritative", "This Drover has never had a cluster; it cannot say that there are none.");
}

function toParameters(cluster: ClusterRecord, brief: ClusterBrief | undefined): Record<string, string> {
  const seen = brief?.seen?.body as unknown as Sighting | undefined;
  const labels = Object.entries(cluster.labels).map(([key, value]) => [`label.${key}`, value] as const);
  return {
    ...Object.fromEntries(labels),
    name: cluster.name,
    server: seen?.endpoint ?? "",
    provider: cluster.provider,
    kubernetesVersion: seen?.kubernetesVersion ?? "",
    phase: cluster.phase,
  };
}
