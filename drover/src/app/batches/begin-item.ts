import { API_VERSION, DroverError, isDroverError, KIND } from "@drover/contract";
import { sha256 } from "../../lib/sha256.ts";
import type {
  BatchItemUpdate,
  BatchRecord,
  ClusterRecord,
  DeclareResult,
  WaitingItem,
} from "../../ports/store/index.ts";
import type { App, Request } from "../app.ts";
import { isInScope } from "../caller.ts";
import { deleteCluster, onTopOf, setPaused } from "../change-cluster.ts";
import { checkDocument, declareSpec, refused } from "../declare-cluster.ts";
import { changeSpec } from "../plan-change.ts";
import { requestHibernation, requestWork } from "../request-work.ts";
import type { BatchOperation, BatchParameters } from "./batch-order.ts";

type Begun = Pick<BatchItemUpdate, "state" | "jobId" | "message">;

/** Somebody else's change in between is not overwritten, but read and worked on anew, this often. */
const TRIES = 5;

/**
 * Does to one cluster what its batch is for. May be called any number of times for the same member, by any server: the
 * idempotency key makes it happen once, and every call answers the same.
 */
export async function beginItem(app: App, waiting: WaitingItem): Promise<BatchItemUpdate> {
  const { batchId, position } = waiting.item;
  return { batchId, position, ...(await tryToBegin(app, waiting)) };
}

async function tryToBegin(app: App, waiting: WaitingItem): Promise<Begun> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await begin(app, waiting);
    } catch (error) {
      if (isDroverError(error, "generation-conflict") && left > 1) continue;
      if (!isDroverError(error) || STORE_IS_AWAY.has(error.code)) throw error;
      // Its turn comes when the job that is there has ended.
      if (error.code === "job-live") return { state: "Waiting", jobId: null, message: error.message };
      return { state: "Failed", jobId: null, message: describe(error) };
    }
  }
}

const STORE_IS_AWAY: ReadonlySet<string> = new Set(["store-unreachable", "store-locked", "store-full"]);

function describe({ code, message, problems }: DroverError): string {
  const found = problems.map(({ path, message: what }) => `${path}: ${what}`);
  return [`${message} (${code})`, ...found].join(" ");
}

async function begin(app: App, { batch, item }: WaitingItem): Promise<Begun> {
  const cluster = await app.store.read.getCluster(item.clusterId);
  const isGone = cluster === null || cluster.deletedAt !== null;
  if (isGone && batch.operation === "delete") return { state: "Succeeded", jobId: null, message: "It is gone." };
  if (isGone) throw new DroverError("cluster-not-found", `The cluster "${item.clusterName}" was deleted meanwhile.`);
  assertInScope(batch, cluster.labels);
  const key = `batch/${batch.id}/${item.position}`;
  const request = {
    ...{ name: cluster.name, actor: batch.actor, reason: batch.reason },
    idempotency: { key, requestHash: sha256(key) },
  };
  return await OPERATIONS[batch.operation as BatchOperation](app, batch, cluster, request);
}

function assertInScope({ scopes }: BatchRecord, labels: ClusterRecord["labels"]): void {
  if (isInScope(scopes, labels)) return;
  throw new DroverError("forbidden", "The labels of the cluster are outside of the scope of the batch's maker.");
}

type Operate = (
  app: App,
  batch: BatchRecord,
  cluster: ClusterRecord,
  request: Request & { readonly name: string },
) => Promise<Begun>;

const hibernation =
  (hibernated: boolean): Operate =>
  async (app, _batch, _cluster, request) => {
    const { id } = await requestHibernation(app, { ...request, hibernated });
    return { state: "Running", jobId: id, message: "" };
  };

const OPERATIONS: Readonly<Record<BatchOperation, Operate>> = {
  reconcile: async (app, _batch, _cluster, request) => {
    const { id } = await requestWork(app, { ...request, kind: "repair" });
    return { state: "Running", jobId: id, message: "" };
  },
  upgrade: async (app, batch, cluster, request) => {
    const { version, consent } = parametersOf(batch);
    if (cluster.spec.imported?.locked === true) {
      throw new DroverError("cluster-locked", `The cluster "${cluster.name}" is only observed.`);
    }
    const spec = { ...cluster.spec, kubernetes: { ...cluster.spec.kubernetes, version } };
    const document = { apiVersion: API_VERSION, kind: KIND, metadata: { name: cluster.name }, spec };
    const checked = checkDocument(app, document);
    if (!checked.ok) throw refused(checked.problems);
    return toBegun(await changeSpec(app, onTopOf(cluster, checked.cluster.spec, request), consent));
  },
  label: async (app, batch, cluster, request) => {
    const labels = { ...cluster.labels, ...parametersOf(batch).labels };
    assertInScope(batch, labels);
    return toBegun(await declareSpec(app, { ...onTopOf(cluster, cluster.spec, request), labels }));
  },
  pause: async (app, _batch, _cluster, request) => toBegun(await setPaused(app, { ...request, paused: true })),
  resume: async (app, _batch, _cluster, request) => toBegun(await setPaused(app, { ...request, paused: false })),
  hibernate: hibernation(true),
  wake: hibernation(false),
  delete: async (app, _batch, { version }, request) =>
    toBegun(await deleteCluster(app, { ...request, expectedVersion: version })),
};

const parametersOf = ({ parameters }: BatchRecord) => parameters as unknown as BatchParameters;

function toBegun({ outcome, job }: DeclareResult): Begun {
  if (job !== null) return { state: "Running", jobId: job.id, message: "" };
  return { state: "Succeeded", jobId: null, message: outcome === "unchanged" ? "It is so already." : "" };
}
