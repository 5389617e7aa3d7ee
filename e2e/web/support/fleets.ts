import { randomUUID } from "node:crypto";
import type { APIRequestContext } from "playwright-core";
import { describeCluster, Place } from "../../support/place.ts";
import { makeManyMachines, makeSomeMachines } from "./machines.ts";
import { Site } from "./site.ts";
import { appendLines, copyCluster, copyRows, inDatabase } from "./store-file.ts";

/** A site, and the ids that addresses of its pages have in them. */
export interface Fleet {
  readonly site: Site;
  readonly ids: Readonly<Record<":job" | ":batch", string>>;
}

/** Who looks: ada may everything, vic only look, and for nora there is nothing, since no cluster is in her scope. */
async function makePeople(site: Site): Promise<void> {
  await site.makeUser("ada", "admin");
  await site.makeUser("vic", "viewer");
  await site.makeUser("nora", "operator", "env=nowhere");
}

const BAD = describeCluster("bad").replace(
  "latency:",
  'faults: [{ operation: create, effect: fail, message: "bind: address already in use" }]\n    latency:',
);

async function apply(site: Site, name: string, document: string, ...more: readonly string[]): Promise<void> {
  site.place.write(`${name}.yaml`, document);
  await site.place.must("apply", "-f", `${name}.yaml`, ...more);
}

/** The newest job of a cluster, once it has failed. */
async function findFailedJob(site: Site, cluster: string): Promise<string> {
  const until = Date.now() + 60_000;
  for (;;) {
    const { items } = await site.place.json<{ items: { id: string; error: unknown }[] }>("jobs", cluster);
    const job = items[0];
    if (job?.error != null) return job.id;
    if (Date.now() > until) throw new Error(`No job of ${cluster} failed.`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function post<T>(request: APIRequestContext, path: string, data: unknown): Promise<T> {
  const answer = await request.post(`/api/v1/${path}`, { data, headers: { "idempotency-key": randomUUID() } });
  if (!answer.ok()) throw new Error(`${path} was answered with ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** A batch, a template and a token: what cannot be declared by a file. */
async function makeObjects(site: Site): Promise<string> {
  const page = await site.user("ada");
  const { request } = page.context();
  await post(request, "templates", {
    name: "small",
    description: "For a look around",
    parameters: [{ name: "workers", type: "number", default: 2 }],
    document: {
      apiVersion: "drover.dev/v1alpha1",
      kind: "Cluster",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a template names a parameter
      spec: { provider: "kind", kind: { workers: "${workers}" } },
    },
  });
  await post(request, "tokens", { name: "pipeline", role: "viewer", lifetimeSeconds: 3_600 });
  const batch = {
    operation: "label",
    clusters: ["good"],
    labels: { team: "a" },
    waveSize: 1,
    maxFailures: 0,
    reason: "order",
  };
  const { id } = await post<{ id: string }>(request, "batches", batch);
  await page.context().close();
  return id;
}

/** A cluster that is fine and was changed once, one that failed, and something on every page. */
export async function openBusyFleet(): Promise<Fleet> {
  const site = await Site.open();
  await makePeople(site);
  await apply(site, "good", describeCluster("good"), "--wait");
  await apply(site, "good", describeCluster("good", { workers: 3 }), "--wait", "--reason", "more room");
  await apply(site, "bad", BAD);
  await makeSomeMachines(site.place);
  const job = await findFailedJob(site, "bad");
  return { site, ids: { ":job": job, ":batch": await makeObjects(site) } };
}

/** A cluster that was declared where no worker is, so that nothing comes of it. */
export async function openStillFleet(): Promise<Fleet> {
  const site = await Site.open(() => Place.make(), "server");
  await makePeople(site);
  await apply(site, "waiting", describeCluster("waiting"));
  const { items } = await site.place.json<{ items: { id: string }[] }>("jobs", "waiting");
  return { site, ids: { ":job": items[0]?.id ?? "", ":batch": "" } };
}

export const MANY = 10_000;
const DRIFT = [{ path: "spec.simulated.workers", desired: "2", actual: "1" }];

/** Every copy of a cluster has fewer workers than it should have. */
function driftCopies(site: Site, name: string): void {
  inDatabase(site.place, (database) => {
    const copies = `select id from clusters where name like '${name}-%'`;
    database.run(`update clusters set modifiers = '["Drifted"]' where id in (${copies})`, []);
    const drifted = "json_set(body, '$.drift', json(?))";
    database.run(`update observations set body = ${drifted} where cluster_id in (${copies})`, [JSON.stringify(DRIFT)]);
  });
}

/** Ten thousand clusters, machines, jobs, batches, entries of the audit log, results of a batch and lines of a log. */
export async function openLargeFleet(): Promise<Fleet> {
  const site = await Site.open();
  await makePeople(site);
  await apply(site, "good", describeCluster("good"), "--wait");
  await apply(site, "bad", BAD);
  const job = await findFailedJob(site, "bad");
  const batch = await makeObjects(site);
  await makeManyMachines(site.place, MANY);
  const lines = Array.from({ length: MANY }, (_, index) => `line ${index} of a long log`);
  appendLines(site.place, job, lines);
  copyCluster(site.place, "good", MANY);
  driftCopies(site, "good");
  const good = "cluster_id = (select id from clusters where name = 'good')";
  const renumber = (column: string) => (row: Readonly<Record<string, unknown>>, index: number) => ({
    [column]: Number(row[column]) + index + 1_000,
  });
  copyRows(site.place, "jobs", `${good} and state = 'Succeeded'`, MANY, (row, index) => ({
    ...{ ...renumber("number")(row, index), id: `${String(row.id)}-${index}` },
  }));
  copyRows(site.place, "batch_items", "position = (select min(position) from batch_items)", MANY, (row, index) => ({
    ...{ ...renumber("position")(row, index), cluster_name: `good-${String(index).padStart(5, "0")}` },
  }));
  inDatabase(
    site.place,
    (database) => void database.run("update batches set total = ?, done = ?", [MANY + 1, MANY + 1]),
  );
  copyRows(site.place, "batches", "1 = 1", MANY, (row, index) => ({ id: `${String(row.id)}-${index}` }));
  copyRows(site.place, "audit", "seq = (select max(seq) from audit)", MANY, renumber("seq"));
  return { site, ids: { ":job": job, ":batch": batch } };
}
