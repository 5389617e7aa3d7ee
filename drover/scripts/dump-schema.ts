import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { systemClock } from "../src/ports/clock.ts";
import { openPostgres } from "../src/store/postgres/open.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import { openRawDatabase } from "../src/store/sqlite/raw-database.ts";
import { startPostgres } from "../test/embedded-postgres.ts";

/**
 * Writes what all migrations together make of an empty database, as text that a review can compare.
 * With --check it writes nothing and fails when the text in the tree is another.
 */
const FOLDER = fileURLToPath(new URL("../src/store/schema/", import.meta.url));

async function dumpSqlite(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "drover-schema-"));
  try {
    const file = join(directory, "drover.db");
    await (await openSqlite({ file, clock: systemClock })).close();
    const raw = openRawDatabase(file, { readOnly: true });
    const objects = raw.all(
      "select sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by tbl_name, type desc, name",
      [],
    );
    raw.close();
    return objects.map(({ sql }) => `${String(sql)};\n`).join("\n");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const POSTGRES_QUERIES = [
  `select 'create table ' || c.relname || E' (\\n' || string_agg(
      '  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attcollation <> t.typcollation then ' collate "' || l.collname || '"' else '' end
      || case when a.attnotnull then ' not null' else '' end
      || case a.attidentity when 'a' then ' generated always as identity' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''), E',\\n' order by a.attnum) || E'\\n)' as text
   from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
   join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   join pg_type t on t.oid = a.atttypid
   left join pg_collation l on l.oid = a.attcollation
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relkind = 'r' group by c.relname order by c.relname`,
  // Not-null constraints are told with their columns; PostgreSQL 18 lists them here as well.
  `select 'alter table ' || conrelid::regclass || ' add constraint ' || conname || ' ' || pg_get_constraintdef(oid) as text
   from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
   order by conrelid::regclass::text, conname`,
  `select indexdef as text from pg_indexes where schemaname = 'public' and indexname not in
     (select conname from pg_constraint) order by tablename, indexname`,
  `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  `select pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal order by tgname`,
];

async function dumpPostgres(): Promise<string> {
  const server = await startPostgres();
  try {
    const url = `${server.url}/postgres`;
    await (await openPostgres({ url, clock: systemClock })).close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const texts: string[] = [];
    for (const query of POSTGRES_QUERIES) {
      for (const row of (await client.query(query)).rows) texts.push(`${String(row.text).trimEnd()};\n`);
    }
    await client.end();
    return texts.join("\n");
  } finally {
    await server.stop();
  }
}

const checkOnly = process.argv.includes("--check");
let differs = false;
for (const [name, text] of [
  ["sqlite.sql", await dumpSqlite()],
  ["postgres.sql", await dumpPostgres()],
] as const) {
  const file = join(FOLDER, name);
  if (!checkOnly) writeFileSync(file, text);
  else if (read(file) !== text) {
    differs = true;
    console.error(
      `drover/src/store/schema/${name} does not show the schema that the migrations make: run npm run generate`,
    );
  }
}
process.exitCode = differs ? 1 : 0;

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
