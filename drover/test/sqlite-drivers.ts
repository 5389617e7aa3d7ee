import { createRequire } from "node:module";
import { findSqliteDriver, type SqliteDriverName } from "../src/store/sqlite/raw-database.ts";

/** The drivers that this Node.js can load: the one that the program takes first. */
export function listSqliteDrivers(): readonly SqliteDriverName[] {
  const first = findSqliteDriver();
  return first === "libsql" || !isLoadable("libsql") ? [first] : [first, "libsql"];
}

function isLoadable(name: string): boolean {
  try {
    createRequire(import.meta.url)(name);
    return true;
  } catch {
    return false;
  }
}
