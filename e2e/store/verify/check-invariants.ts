import type { Store } from "../../../drover/src/ports/store/index.ts";
import type { SharedDatabase } from "../support/databases.ts";
import { type Acknowledged, COUNTER } from "../writer/acknowledgement.ts";
import type { World } from "./world.ts";

/** Queries that find nothing in a store that is as it should be. */
const NEVER: Readonly<Record<string, string>> = {
  "two live jobs of one cluster": `
    select cluster_id from jobs where state in ('Pending', 'Processing') and superseded_by is null
    group by cluster_id having count(*) > 1`,
  "two running jobs of one cluster": `
    select cluster_id from jobs where state = 'Processing' group by cluster_id having count(*) > 1`,
  "two living clusters of one name": `
    select name from clusters where deleted_at is null group by name having count(*) > 1`,
  "a gap in the revisions of a cluster": `
    select c.id from clusters c join revisions r on r.cluster_id = c.id
    group by c.id, c.generation having count(*) <> c.generation or min(r.generation) <> 1`,
  "a gap in the job numbers of a cluster": `
    select cluster_id from jobs group by cluster_id having count(*) <> max(number)`,
  "a gap in a log": `
    select job_id, first_line from log_chunks l where first_line <> 1 + coalesce(
      (select max(e.last_line) from log_chunks e where e.job_id = l.job_id and e.first_line < l.first_line), 0)`,
  "a job that was begun without a claim": "select id from jobs where attempt <> token",
  "a running job without a lease": `
    select id from jobs where state = 'Processing' and (lease_expires_at is null or worker_id is null)`,
  "an ended job that holds a lease": `
    select id from jobs where state in ('Succeeded', 'Failed', 'Canceled') and (lease_expires_at is not null or finished_at is null)`,
  "a deleted cluster with work to do": `
    select c.id from clusters c join jobs j on j.cluster_id = c.id
    where c.deleted_at is not null and j.state in ('Pending', 'Processing')`,
  "a secret that was never encrypted": "select id from secrets where ciphertext = ''",
};

export async function checkInvariants(database: SharedDatabase): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const [what, sql] of Object.entries(NEVER)) {
    const rows = await database.query(sql);
    if (rows.length > 0) complaints.push(`${rows.length} × ${what}, first ${JSON.stringify(rows[0])}`);
  }
  return [...complaints, ...(await database.findDamage())];
}

/** The chain as a whole, and what all acknowledgements together say. */
export async function checkWhole(
  store: Store,
  world: World,
  acks: readonly Acknowledged[],
): Promise<readonly string[]> {
  const verdict = await store.audit.verifyAudit();
  const claims = acks.filter((ack) => ack.op === "claim").map(({ jobId, token }) => `claim ${jobId} ${token}`);
  const counts = acks.filter((ack) => ack.op === "count").map(({ version }) => `count ${version}`);
  const texts = acks.flatMap((ack) => (ack.op === "log" ? ack.texts : []));
  const counter = await store.settings.getSetting(COUNTER);
  return [
    ...(verdict.ok ? [] : [`the audit chain is broken: ${JSON.stringify(verdict.broken)}`]),
    ...findDoubles([...claims, ...counts, ...texts]).map((double) => `acknowledged twice: ${double}`),
    ...findDoubles(world.requests).map((double) => `done twice: ${double}`),
    ...(counter === null || counter.value === counter.version ? [] : [`a lost count: ${JSON.stringify(counter)}`]),
    ...((counter?.version ?? 0) < counts.length ? [`${counts.length} counts, but ${counter?.version} steps`] : []),
    ...(await findUnreadable(store)),
  ];
}

function findDoubles(list: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return list.filter((item) => seen.size === seen.add(item).size);
}

async function findUnreadable(store: Store): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const { owner, name } of await store.secrets.listSecrets()) {
    try {
      await store.secrets.getSecret(owner, name);
    } catch (error) {
      complaints.push(`the secret ${owner}/${name} cannot be read: ${String(error)}`);
    }
  }
  return complaints;
}
