import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { LabelRequirement, LabelSelector } from "../../domain/labels.ts";

/** Where the labels of a kind of object stand, row by row: `table.owner` names `object.id`. */
export interface LabelledKind {
  readonly table: string;
  readonly owner: string;
  readonly object: string;
}

export const LABELLED_CLUSTERS: LabelledKind = { table: "cluster_labels", owner: "cluster_id", object: "clusters" };
export const LABELLED_MACHINES: LabelledKind = { table: "machine_labels", owner: "machine_id", object: "machines" };

export const matchesSelector = (kind: LabelledKind, selector: LabelSelector): RawBuilder<SqlBool> =>
  all(selector.map((requirement) => matchesRequirement(kind, requirement)));

/** One of them has to be met; without any, everything is. */
export function matchesAnyScope(kind: LabelledKind, scopes: readonly LabelSelector[]): RawBuilder<SqlBool> {
  if (scopes.length === 0) return TRUE;
  return sql<SqlBool>`(${sql.join(
    scopes.map((selector) => matchesSelector(kind, selector)),
    sql` or `,
  )})`;
}

const TRUE = sql<SqlBool>`1 = 1`;

const all = (tests: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  tests.length === 0 ? TRUE : sql<SqlBool>`(${sql.join(tests, sql` and `)})`;

export function matchesRequirement(
  { table, owner, object }: LabelledKind,
  requirement: LabelRequirement,
): RawBuilder<SqlBool> {
  const labelled = sql`
    select 1 from ${sql.table(table)}
    where ${sql.ref(`${table}.${owner}`)} = ${sql.ref(`${object}.id`)} and ${sql.ref(`${table}.key`)} = ${requirement.key}`;
  switch (requirement.op) {
    case "exists":
      return sql<SqlBool>`exists (${labelled})`;
    case "missing":
      return sql<SqlBool>`not exists (${labelled})`;
    case "in":
      return sql<SqlBool>`exists (${labelled} and ${sql.ref(`${table}.value`)} in (${sql.join([...requirement.values])}))`;
    case "notin":
      return sql<SqlBool>`not exists (${labelled} and ${sql.ref(`${table}.value`)} in (${sql.join([...requirement.values])}))`;
  }
}
