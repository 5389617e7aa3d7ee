import { DroverError } from "@drover/contract";

/** The primary result codes of SQLite that have a next move for the user. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
/** The shared memory beside the file could not be made large enough: there is no room for it. */
const IOERR_SHMSIZE = 4874;

const BY_NAME: Readonly<Record<string, number>> = {
  SQLITE_BUSY: BUSY,
  SQLITE_LOCKED: LOCKED,
  SQLITE_READONLY: READONLY,
  SQLITE_IOERR_SHMSIZE: FULL,
  SQLITE_IOERR: IOERR,
  SQLITE_CORRUPT: CORRUPT,
  SQLITE_FULL: FULL,
  SQLITE_CANTOPEN: CANTOPEN,
  SQLITE_NOTADB: NOTADB,
};

const primaryCode = (code: number): number => (code === IOERR_SHMSIZE ? FULL : code & 0xff);

/** SQLite's primary result code of an error, whichever driver threw it; 0 when it is none of SQLite's. */
export function sqliteResultCode(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  const { errcode, rawCode, code } = error as { errcode?: unknown; rawCode?: unknown; code?: unknown };
  if (typeof errcode === "number") return primaryCode(errcode);
  if (typeof rawCode === "number") return primaryCode(rawCode);
  // libsql gives no code with this one.
  if (/unable to open/i.test(error.message)) return CANTOPEN;
  if (typeof code !== "string") return 0;
  const name = Object.keys(BY_NAME).find((known) => code === known || code.startsWith(`${known}_`));
  return name === undefined ? 0 : (BY_NAME[name] ?? 0);
}

export function isSqliteBusy(error: unknown): boolean {
  const code = sqliteResultCode(error);
  return code === BUSY || code === LOCKED;
}

export function translateSqliteError(error: unknown, file: string): unknown {
  if (error instanceof DroverError) return error;
  switch (sqliteResultCode(error)) {
    case BUSY:
    case LOCKED:
      return lockedError(file, error);
    case CORRUPT:
    case NOTADB:
      return new DroverError(
        "store-damaged",
        `The file ${file} is damaged or is no SQLite database; it was left as it is.`,
        {
          cause: error,
        },
      );
    case FULL:
      return new DroverError("store-full", `There is no room left to write to ${file}; nothing was changed.`, {
        cause: error,
      });
    case IOERR:
      return new DroverError("store-unreachable", `Reading or writing ${file} failed: ${messageOf(error)}.`, {
        cause: error,
      });
    case READONLY:
    case CANTOPEN:
      return new DroverError(
        "store-unreachable",
        `The database file ${file} cannot be opened for writing: ${messageOf(error)}.`,
        { cause: error },
      );
    default:
      return error;
  }
}

export const lockedError = (file: string, cause: unknown): DroverError =>
  new DroverError("store-locked", `Another process keeps the database file ${file} locked; nothing was changed.`, {
    cause,
  });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
