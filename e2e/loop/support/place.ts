import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRawDatabase } from "../../../drover/src/store/sqlite/raw-database.ts";
import type { PostgresServer } from "../../store/support/postgres-server.ts";
import { createDatabase, dropDatabase, query } from "./postgres-databases.ts";

export type DatabaseKind = "sqlite" | "postgres";

type Rows = readonly Readonly<Record<string, unknown>>[];

/** A store and a simulated cloud that several processes share. */
export interface Place {
  readonly kind: DatabaseKind;
  readonly dataDir: string;
  readonly url: string;
  readonly ledgerFile: string;
  /** Another one just like it; nobody may be using this one meanwhile. */
  copy(): Promise<Place>;
  query(sql: string): Promise<Rows>;
  dispose(): Promise<void>;
}

export async function makePlace(kind: DatabaseKind, server: PostgresServer): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), "drover-e2e-loop-"));
  // The key that openSharedStore uses.
  writeFileSync(join(dataDir, "master.key"), "07".repeat(32), { mode: 0o600 });
  return describePlace(kind, server, dataDir, kind === "sqlite" ? "" : await createDatabase(server));
}

function describePlace(kind: DatabaseKind, server: PostgresServer, dataDir: string, database: string): Place {
  const url = kind === "sqlite" ? join(dataDir, "drover.db") : `${server.url}/${database}`;
  return {
    ...{ kind, dataDir, url },
    ledgerFile: join(dataDir, "simulated.jsonl"),
    copy: async () => {
      const folder = mkdtempSync(join(tmpdir(), "drover-e2e-loop-"));
      cpSync(dataDir, folder, { recursive: true });
      return describePlace(kind, server, folder, kind === "sqlite" ? "" : await createDatabase(server, database));
    },
    query: async (sql) => (kind === "sqlite" ? querySqlite(url, sql) : await query(url, sql)),
    dispose: async () => {
      if (kind === "postgres") await dropDatabase(server, database);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function querySqlite(file: string, sql: string): Rows {
  const raw = openRawDatabase(file);
  try {
    raw.exec("pragma busy_timeout = 5000");
    return raw.all(sql, []);
  } finally {
    raw.close();
  }
}
