import type { Matrix, Row } from "./row.ts";

const onJob = (more: Partial<Row> = {}): Row => ({
  scope: "job",
  request: ({ job }) => ({ params: { id: job } }),
  ...more,
});

export const jobRows: Pick<Matrix, "jobs" | "logs" | "events"> = {
  jobs: {
    listJobs: { scope: "list" },
    getJob: onJob(),
    getGraph: onJob(),
    getReport: onJob(),
    cancelJob: onJob(),
    retryJob: onJob({ refusal: "job-live" }),
  },
  logs: {
    readLog: onJob(),
    searchLog: onJob({ request: ({ job }) => ({ params: { id: job }, query: { text: "a" } }) }),
    streamLog: onJob(),
    openLogSocket: onJob(),
  },
  events: {
    listEvents: { scope: "list", request: async (made) => ({ query: { ...(await fromHere(made)), limit: "500" } }) },
    streamEvents: { scope: "list", request: async (made) => ({ query: await fromHere(made) }) },
  },
};

/** Just before the events of the cell's own cluster. */
async function fromHere({ test, cluster }: Parameters<NonNullable<Row["request"]>>[0]) {
  const last = await test.store.read.lastEventCursor();
  const { events } = await test.store.read.readEvents({ after: Math.max(0, last - 100), limit: 500 });
  const first = events.find(({ clusterName }) => clusterName === cluster);
  return { after: String((first?.cursor ?? 1) - 1) };
}
