import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DroverError } from "@drover/contract";
import type { Clock } from "../../ports/clock.ts";
import type { Migration } from "../migrations/index.ts";
import {
  type AppliedMigration,
  checkHistory,
  type MigrationTarget,
  runMigrations,
} from "../migrations/run-migrations.ts";
import type { LifeSigns, SettingGuard } from "../session.ts";
import { readBootId } from "./boot-id.ts";
import { isSqliteBusy, lockedError, translateSqliteError } from "./errors.ts";
import { ProcessSigns } from "./process-signs.ts";
import { openRawDatabase, type RawDatabase, type SqliteDriverName } from "./raw-database.ts";
import { SqliteSession } from "./session.ts";

export interface OpenSqlite {
  readonly file: string;
  readonly clock: Clock;
  readonly driver?: SqliteDriverName;
  readonly guard?: SettingGuard;
  readonly life?: LifeSigns;
  /** How long to wait for other processes before saying that the file is locked. */
  readonly patienceMs?: number;
  /** For tests of upgrades and downgrades. */
  readonly migrations?: readonly Migration[];
}

const DEFAULT_PATIENCE_MS = 10_000;
const READER_PATIENCE_MS = 2_000;

export async function openSqlite(options: OpenSqlite): Promise<SqliteSession> {
  const { file, driver, clock, patienceMs = DEFAULT_PATIENCE_MS } = options;
  const driverOption = driver === undefined ? {} : { driver };
  prepareFile(file);
  const open = () => openRawDatabase(file, driverOption);
  refuseUnfit(options, patienceMs);
  const writer = open();
  try {
    await whenUnlocked(file, clock, patienceMs, () => {
      writer.exec("pragma journal_mode = wal");
      // Every commit is flushed before it is acknowledged, in WAL mode too.
      writer.exec("pragma synchronous = full");
      writer.exec("pragma foreign_keys = on");
      writer.exec("pragma journal_size_limit = 67108864");
      writer.exec("begin immediate");
    });
    await migrate(writer, clock, options.migrations);
    expireLeasesOfEarlierBoot(writer, clock);
    writer.exec("commit");
    const openReader = () => {
      const reader = open();
      reader.exec(`pragma busy_timeout = ${READER_PATIENCE_MS}`);
      reader.exec("pragma query_only = on");
      return reader;
    };
    return new SqliteSession({ file, writer, openReader, clock, patienceMs, life: options.life ?? new ProcessSigns() });
  } catch (error) {
    writer.close();
    throw translateSqliteError(error, file);
  }
}

function prepareFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Made by us, so that nobody else can read it from the first byte on.
    if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new DroverError(
      "store-unreachable",
      `The database file ${file} cannot be made: ${(error as Error).message}.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Looks before anything is written: damaged files, newer schemas and stores of another master key are left exactly as
 * they are. Only through SQLite: to open and close the file by ourselves would drop the locks that another store of
 * this process has on it. A write-ahead log that somebody left behind is not even copied into the file.
 */
function refuseUnfit({ file, driver, migrations, guard }: OpenSqlite, patienceMs: number): void {
  if (statSync(file).size === 0) return;
  let raw: RawDatabase | undefined;
  try {
    raw = openRawDatabase(file, { readOnly: existsSync(`${file}-wal`), ...(driver === undefined ? {} : { driver }) });
    raw.exec("pragma query_only = on");
    raw.exec(`pragma busy_timeout = ${Math.min(patienceMs, READER_PATIENCE_MS)}`);
    const damage = raw.all("pragma quick_check(1)", [])[0]?.["quick_check"];
    if (damage !== "ok") {
      throw new DroverError("store-damaged", `The database file ${file} is damaged: ${String(damage)}.`);
    }
    const applied = listApplied(raw);
    if (applied === null && raw.all("select name from sqlite_master limit 1", []).length > 0) {
      throw new DroverError(
        "store-damaged",
        `The file ${file} is a database of another program; it was left as it is.`,
      );
    }
    checkHistory(applied ?? [], "sqlite", migrations);
    if (guard === undefined || applied === null) return;
    const [setting] = raw.all("select value from settings where key = ?", [guard.key]);
    if (setting !== undefined) guard.check(String(setting["value"]));
  } catch (error) {
    throw translateSqliteError(error, file);
  } finally {
    raw?.close();
  }
}

function listApplied(raw: RawDatabase): readonly AppliedMigration[] | null {
  const there = raw.all("select 1 from sqlite_master where type = 'table' and name = 'drover_migrations'", []);
  if (there.length === 0) return null;
  return raw.all("select number, name, checksum from drover_migrations order by number", []) as unknown as
    | readonly AppliedMigration[]
    | null;
}

async function migrate(raw: RawDatabase, clock: Clock, migrations: readonly Migration[] | undefined): Promise<void> {
  const target: MigrationTarget = {
    kind: "sqlite",
    exec: async (statement) => raw.exec(statement),
    listApplied: async () => listApplied(raw),
    recordApplied: async ({ number, name, checksum }) =>
      void raw.run("insert into drover_migrations (number, name, checksum, applied_at) values (?, ?, ?, ?)", [
        number,
        name,
        checksum,
        clock.now(),
      ]),
  };
  await runMigrations(target, migrations);
}

/**
 * Leases run on the monotonic clock of this boot. After a reboot nobody who held one is alive,
 * and the clock has started anew: all of them are over.
 */
function expireLeasesOfEarlierBoot(raw: RawDatabase, clock: Clock): void {
  const boot = readBootId();
  const known = raw.all("select value from settings where key = 'store.boot'", [])[0]?.["value"];
  if (known === JSON.stringify(boot)) return;
  raw.run("update jobs set lease_expires_at = 0 where state = 'Processing'", []);
  raw.run("update outbox set lease_expires_at = 0 where delivered_at is null", []);
  raw.run("update leases set expires_at = 0", []);
  raw.run(
    `insert into settings (key, value, version, updated_at, updated_by) values ('store.boot', ?, 1, ?, 'drover')
     on conflict (key) do update set value = excluded.value, version = version + 1, updated_at = excluded.updated_at`,
    [JSON.stringify(boot), clock.now()],
  );
}

async function whenUnlocked(file: string, clock: Clock, patienceMs: number, work: () => void): Promise<void> {
  const deadline = clock.monotonic() + patienceMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!isSqliteBusy(error)) throw error;
      if (clock.monotonic() >= deadline) throw lockedError(file, error);
      await sleep(20);
    }
  }
}
