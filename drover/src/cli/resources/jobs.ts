import { jobRoutes } from "@drover/contract";
import { listAll } from "../client/list-all.ts";
import { findJob, isJobId, type Job, nameJob } from "../find-job.ts";
import { describeAge, describeSeconds } from "../render/age.ts";
import { now, type Resource } from "./resource.ts";

const MOST = 100;

export const jobs: Resource<Job> = {
  kind: "job",
  words: ["jobs", "job"],
  nameOf: nameJob,
  clusterOf: ({ cluster }) => cluster,
  columns: [
    { title: "JOB", value: nameJob },
    { title: "KIND", value: ({ kind }) => kind },
    { title: "STATE", value: ({ state }) => state },
    { title: "PROGRESS", value: ({ percent }) => (percent === null ? "" : `${percent} %`) },
    { title: "TOOK", moves: true, value: describeLength },
    { title: "AGE", moves: true, value: ({ createdTime }) => describeAge(createdTime, now()) },
    { title: "BY", value: ({ createdBy }) => createdBy },
    { title: "GENERATION", wide: true, value: ({ generation }) => String(generation) },
    { title: "ATTEMPT", wide: true, value: ({ attempt }) => String(attempt) },
    { title: "WORKER", wide: true, value: ({ worker }) => worker ?? "" },
    { title: "ID", wide: true, value: ({ id }) => id },
    { title: "REASON", wide: true, value: ({ error, reason }) => error?.message ?? reason },
  ],
  list: async (client, { names, limit = MOST }) => {
    if (names.length === 0) return await listAll(client, jobRoutes.listJobs, {}, limit);
    const found = await Promise.all(
      names.map(async (name) =>
        isJobId(name) || name.includes("/")
          ? [await findJob(client, name)]
          : await listAll(client, jobRoutes.listJobs, { query: { cluster: name } }, limit),
      ),
    );
    return found.flat();
  },
  watch: async (client, cluster, { names, limit = MOST }) =>
    names.length === 0 || names.includes(cluster)
      ? await listAll(client, jobRoutes.listJobs, { query: { cluster } }, limit)
      : [],
};

function describeLength({ startedTime, finishedTime }: Job): string {
  if (startedTime === null) return "";
  const end = finishedTime === null ? now() : Date.parse(finishedTime);
  return describeSeconds(Math.max(0, (end - Date.parse(startedTime)) / 1_000));
}
