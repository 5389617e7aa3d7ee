import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import type { LabelRequirement, LabelSelector } from "../../domain/labels.ts";
import { readPageCursor, writePageCursor } from "../../domain/page-cursor.ts";
import { splitWords } from "../../domain/split-words.ts";
import type { ClusterFilter, ClusterRecord, ClusterSort, ListClusters, Page } from "../../ports/store/index.ts";
import type { ClusterRow, Database } from "../database.ts";
import { type Db, type Session, storableText } from "../session.ts";
import { LABELLED_CLUSTERS, matchesRequirement } from "./match-labels.ts";
import { clusterQuery, toCluster } from "./records.ts";

export type Filter = ExpressionBuilder<Database, "clusters">;
type Test = ExpressionWrapper<Database, "clusters", SqlBool>;

const SORT_COLUMNS = {
  name: "name",
  created: "created_at",
  updated: "updated_at",
  phase: "phase",
} as const satisfies Record<ClusterSort, keyof ClusterRow>;

const matchesLabel = (requirement: LabelRequirement): Test =>
  matchesRequirement(LABELLED_CLUSTERS, requirement) as unknown as Test;

const hasModifier = (eb: Filter, modifier: string) => eb("clusters.modifiers", "like", `%"${modifier}"%`);

function holdsWord(word: string): Test {
  const pattern = `%${escapeLike(storableText(word.toLowerCase()))}%`;
  return sql<SqlBool>`clusters.search_text like ${pattern} escape '!'` as unknown as Test;
}

function filterClusters(eb: Filter, filter: ClusterFilter): Test {
  const tests: Test[] = [eb("clusters.deleted_at", "is", null) as Test];
  if (filter.phases !== undefined) tests.push(eb("clusters.phase", "in", oneOf(filter.phases)) as Test);
  if (filter.modifiers !== undefined) {
    tests.push(eb.or(filter.modifiers.map((one) => hasModifier(eb, one))) as Test);
  }
  if (filter.providers !== undefined) tests.push(eb("clusters.provider", "in", oneOf(filter.providers)) as Test);
  if (filter.onlyReady === true) tests.push(eb("clusters.ready", "=", 1) as Test);
  for (const word of splitWords(filter.search)) tests.push(holdsWord(word));
  for (const { text, called } of filter.words ?? []) {
    const isCalled = [
      ...[eb("clusters.phase", "=", called), eb("clusters.provider", "=", called), hasModifier(eb, called)],
    ];
    tests.push(eb.or([holdsWord(text), ...isCalled]) as Test);
  }
  for (const requirement of filter.selector ?? []) tests.push(matchesLabel(requirement));
  if (filter.scopes !== undefined && filter.scopes.length > 0) tests.push(matchesScopes(eb, filter.scopes));
  return eb.and(tests) as Test;
}

/** Works in any query that reads from clusters. */
export function matchesScopes(eb: Filter, scopes: readonly LabelSelector[]): Test {
  return eb.or(scopes.map((selector) => eb.and(selector.map((requirement) => matchesLabel(requirement))))) as Test;
}

/** `in ()` is no SQL; a word that nothing is called keeps the meaning. */
const oneOf = (values: readonly string[]) => (values.length === 0 ? [""] : values);

const escapeLike = (text: string) => text.replace(/[!%_]/g, "!$&");

export async function listClusters(session: Session, query: ListClusters): Promise<Page<ClusterRecord>> {
  const sort = query.sort ?? "name";
  const column = SORT_COLUMNS[sort];
  const direction = query.descending === true ? "desc" : "asc";
  const valueType = sort === "created" || sort === "updated" ? "number" : "string";
  return await session.read(async (db) => {
    let select = clusterQuery(db)
      .where((eb) => filterClusters(eb as unknown as Filter, query))
      .orderBy(`clusters.${column}`, direction)
      .orderBy("clusters.id", direction)
      .limit(query.limit + 1);
    if (query.after !== undefined) {
      const end = readPageCursor(query.after, valueType);
      // A row comparison, so that an index is entered exactly where the page before ended.
      const past = sql<SqlBool>`(${sql.ref(`clusters.${column}`)}, clusters.id) ${sql.raw(direction === "asc" ? ">" : "<")} (${end.value}, ${end.id})`;
      select = select.where(past);
    }
    const rows = await select.execute();
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const more = rows.length > query.limit && last !== undefined;
    return { items: page.map(toCluster), next: more ? writePageCursor({ value: last[column], id: last.id }) : null };
  });
}

export async function countClusters(
  session: Session,
  filter: ClusterFilter,
): Promise<{ total: number; phases: Record<string, number>; providers: Record<string, number> }> {
  const groups = await session.read((db: Db) =>
    db
      .selectFrom("clusters")
      .select(["phase", "provider"])
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where((eb) => filterClusters(eb, filter))
      .groupBy(["phase", "provider"])
      .execute(),
  );
  const counts = { total: 0, phases: {} as Record<string, number>, providers: {} as Record<string, number> };
  for (const { phase, provider, count } of groups) {
    counts.total += count;
    counts.phases[phase] = (counts.phases[phase] ?? 0) + count;
    counts.providers[provider] = (counts.providers[provider] ?? 0) + count;
  }
  return counts;
}
