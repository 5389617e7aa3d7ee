import { clusterName } from "../lib/fleet.mjs";
import { graphileQueue } from "./graphile-queue.mjs";

const NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** What Drover's claim leaves behind for others to see: the phase and an event. */
const BEGUN = {
  name: "bench_begun",
  text: `
    with moved as (
      update clusters set phase = 'Creating', updated_at = ${NOW}
      where name = $1 and deleted_at is null returning id, name
    )
    insert into events (at, kind, cluster_id, cluster_name, body)
    select ${NOW}, 'job.started', id, name, $2 from moved`,
};

/** What its end leaves behind: the phase, what the job came to, the job's own row, and an event. */
const ENDED = {
  name: "bench_ended",
  text: `
    with moved as (
      update clusters set phase = 'Running', ready = 1, updated_at = ${NOW}, last_change_kind = 'create',
        last_change_state = 'Succeeded', last_change_at = ${NOW}, observed_generation = generation
      where name = $1 and deleted_at is null returning id, name
    ), kept as (
      update jobs set state = 'Succeeded', attempt = 1, started_at = ${NOW}, finished_at = ${NOW}
      from moved where jobs.cluster_id = moved.id and jobs.state = 'Pending'
    )
    insert into events (at, kind, cluster_id, cluster_name, body)
    select ${NOW}, 'job.finished', id, name, $2 from moved`,
};

/**
 * graphile-worker as the queue of a program that has to leave the same records as Drover does: its tasks write them,
 * one statement and one commit when a job begins and one when it has ended.
 */
export function graphileWithRecords({ server, jobs, template }) {
  return graphileQueue({
    server,
    jobs,
    template,
    name: "graphile-worker, same records",
    handle: async (number, { query }) => {
      const name = clusterName(number);
      await query({ ...BEGUN, values: [name, '{"kind":"create","worker":"bench","attempt":1,"phase":"Creating"}'] });
      await query({ ...ENDED, values: [name, '{"kind":"create","state":"Succeeded","error":null}'] });
    },
  });
}
