import { DroverError } from "@drover/contract";

const RETRIED = new Set(["40001", "40P01"]);
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "EPIPE",
  "57P01", // terminated by an administrator
  "57P02", // crash
  "57P03", // starting up
  "53300", // too many connections
  "3D000", // no such database
  "28P01", // password refused
  "28000",
]);

/** What the driver says, without a code, of a connection that is gone or that it could not get. */
const CUT = /connection terminated|not queryable|timeout (exceeded|expired)/i;

const codeOf = (error: unknown): string =>
  error instanceof Error && typeof (error as { code?: unknown }).code === "string"
    ? (error as unknown as { code: string }).code
    : "";

/** Two writers met; the whole transaction may simply be run again. */
export const isPostgresConflict = (error: unknown): boolean => RETRIED.has(codeOf(error));

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === "23505";

/** Where a name has several addresses, the reasons are in the errors of each. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError && error.message === ""
    ? error.errors.map((each: Error) => each.message).join(", ")
    : error.message;

export function translatePostgresError(error: unknown): unknown {
  if (error instanceof DroverError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === "53100") {
    return new DroverError("store-full", "The database server has no disk space left; nothing was changed.", {
      cause: error,
    });
  }
  if (code === "XX001" || code === "XX002") {
    return new DroverError("store-damaged", `The database reports damage: ${error.message}.`, { cause: error });
  }
  if (code === "55P03" || code === "57014") {
    return new DroverError("store-locked", "The database did not get to this write in time; nothing was changed.", {
      cause: error,
    });
  }
  if (UNREACHABLE.has(code) || code.startsWith("08") || CUT.test(error.message)) {
    return new DroverError("store-unreachable", `The database cannot be reached: ${messageOf(error)}.`, {
      cause: error,
    });
  }
  return error;
}
