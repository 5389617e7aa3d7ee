import { createHash } from "node:crypto";
import { DroverError } from "@drover/contract";
import { failpoint } from "../../lib/failpoint.ts";
import { type DatabaseKind, MIGRATIONS, type Migration } from "./index.ts";

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** A database inside a transaction that nobody else can be in at the same time. */
export interface MigrationTarget {
  readonly kind: DatabaseKind;
  exec(statement: string): Promise<void>;
  /** Null when the database is new. */
  listApplied(): Promise<readonly AppliedMigration[] | null>;
  recordApplied(migration: AppliedMigration): Promise<void>;
}

export const HISTORY_TABLE = `create table drover_migrations (
  number bigint primary key,
  name text not null,
  checksum text not null,
  applied_at bigint not null
)`;

export function checksumOf(migration: Migration, database: DatabaseKind): string {
  return createHash("sha256").update(migration.sql(database).join(";\n")).digest("hex");
}

/** Throws, without writing, when this program must not touch a database with that history. */
export function checkHistory(
  applied: readonly AppliedMigration[],
  database: DatabaseKind,
  known: readonly Migration[] = MIGRATIONS,
): void {
  const newest = Math.max(0, ...applied.map((entry) => entry.number));
  if (newest > known.length) {
    throw new DroverError(
      "store-too-new",
      `The store has schema ${newest}; this Drover knows schemas up to ${known.length}. Nothing was written.`,
      { details: { schema: newest, known: known.length } },
    );
  }
  for (const entry of applied) {
    const migration = known[entry.number - 1];
    if (migration === undefined || checksumOf(migration, database) !== entry.checksum) {
      throw new DroverError(
        "store-migration-changed",
        `Migration ${entry.number} (${entry.name}) was applied to the store in another form than this Drover has it.`,
        { details: { migration: entry.number } },
      );
    }
  }
}

/** Brings the schema up to date. Answers how many migrations it ran. */
export async function runMigrations(
  target: MigrationTarget,
  known: readonly Migration[] = MIGRATIONS,
): Promise<number> {
  const applied = await target.listApplied();
  if (applied === null) await target.exec(HISTORY_TABLE);
  checkHistory(applied ?? [], target.kind, known);
  const missing = known.slice(applied?.length ?? 0);
  for (const migration of missing) {
    for (const statement of migration.sql(target.kind)) await target.exec(statement);
    const { number, name } = migration;
    await target.recordApplied({ number, name, checksum: checksumOf(migration, target.kind) });
  }
  if (missing.length > 0) failpoint("store.before-schema-committed");
  return missing.length;
}
