import { jobRoutes } from "@drover/contract";
import type { ApiClient, CallAnswer } from "./client/api-client.ts";
import { listAll } from "./client/list-all.ts";
import { UsageError } from "./usage-error.ts";

export type Job = CallAnswer<typeof jobRoutes.getJob>;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isJobId = (text: string): boolean => ID.test(text);

/** A job by its id, by its number as `demo/3`, or the newest of a cluster by the name alone. */
export async function findJob(client: ApiClient, reference: string): Promise<Job> {
  if (isJobId(reference)) return await client.call(jobRoutes.getJob, { params: { id: reference } });
  const [cluster = "", number] = reference.split("/");
  if (number === undefined) return await findNewestJob(client, cluster);
  const jobs = await listAll(client, jobRoutes.listJobs, { query: { cluster } });
  const found = jobs.find((job) => String(job.number) === number);
  if (found !== undefined) return found;
  throw new UsageError(`The cluster ${cluster} has no job ${number}. \`drover jobs ${cluster}\` lists those it has.`);
}

async function findNewestJob(client: ApiClient, cluster: string): Promise<Job> {
  const [newest] = await listAll(client, jobRoutes.listJobs, { query: { cluster } }, 1);
  if (newest !== undefined) return newest;
  throw new UsageError(`There is no job of a cluster ${cluster}. \`drover get clusters\` lists what there is.`);
}

/** How people name a job. */
export const nameJob = ({ cluster, number }: Pick<Job, "cluster" | "number">): string => `${cluster}/${number}`;

export const isFinished = ({ state }: Pick<Job, "state">): boolean =>
  state === "Succeeded" || state === "Failed" || state === "Canceled";

/** Whether one certain job is meant, rather than whatever is newest of a cluster. */
export const isNamedJob = (reference: string): boolean => isJobId(reference) || reference.includes("/");
