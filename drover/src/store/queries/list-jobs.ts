import { type SqlBool, sql } from "kysely";
import type { JobRecord, ListJobs, Page } from "../../ports/store/index.ts";
import type { Session } from "../session.ts";
import { readPageCursor, writePageCursor } from "./page-cursor.ts";
import { jobQuery, toJob } from "./records.ts";

/** Newest first: ids are made in the order of time. */
export async function listJobs(session: Session, query: ListJobs): Promise<Page<JobRecord>> {
  return await session.read(async (db) => {
    let select = jobQuery(db)
      .orderBy("jobs.id", "desc")
      .limit(query.limit + 1);
    if (query.clusterId !== undefined) select = select.where("jobs.cluster_id", "=", query.clusterId);
    if (query.states !== undefined && query.states.length > 0) select = select.where("jobs.state", "in", query.states);
    if (query.kinds !== undefined && query.kinds.length > 0) select = select.where("jobs.kind", "in", query.kinds);
    if (query.after !== undefined) {
      const { id } = readPageCursor(query.after, "string");
      select = select.where(sql<SqlBool>`jobs.id < ${id}`);
    }
    const rows = await select.execute();
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const more = rows.length > query.limit && last !== undefined;
    return { items: page.map(toJob), next: more ? writePageCursor({ value: "", id: last.id }) : null };
  });
}
