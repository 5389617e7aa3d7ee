import { type SqlBool, sql } from "kysely";
import { readPageCursor, writePageCursor } from "../../domain/page-cursor.ts";
import type { JobRecord, ListJobs, Page } from "../../ports/store/index.ts";
import type { Session } from "../session.ts";
import { type Filter, matchesScopes } from "./list-clusters.ts";
import { jobQuery, toJob } from "./records.ts";

/** Newest first. Of one cluster by number, which is exact; of all by id, which follows the clock of its maker. */
export async function listJobs(session: Session, query: ListJobs): Promise<Page<JobRecord>> {
  return await session.read(async (db) => {
    let select = jobQuery(db).limit(query.limit + 1);
    const { clusterId } = query;
    if (clusterId === undefined) select = select.orderBy("jobs.id", "desc");
    else select = select.where("jobs.cluster_id", "=", clusterId).orderBy("jobs.number", "desc");
    const { scopes = [] } = query;
    if (scopes.length > 0) select = select.where((eb) => matchesScopes(eb as unknown as Filter, scopes));
    if (query.states !== undefined && query.states.length > 0) select = select.where("jobs.state", "in", query.states);
    if (query.kinds !== undefined && query.kinds.length > 0) select = select.where("jobs.kind", "in", query.kinds);
    if (query.after !== undefined) {
      const { value, id } = readPageCursor(query.after, "number");
      select =
        clusterId === undefined
          ? select.where(sql<SqlBool>`jobs.id < ${id}`)
          : select.where("jobs.number", "<", value as number);
    }
    const rows = await select.execute();
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const more = rows.length > query.limit && last !== undefined;
    return { items: page.map(toJob), next: more ? writePageCursor({ value: last.number, id: last.id }) : null };
  });
}
