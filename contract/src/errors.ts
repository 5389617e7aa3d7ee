import { type ErrorKind, errorKind as kind } from "./error-kind.ts";
import { ACCESS_ERRORS } from "./errors-access.ts";
import { HOST_ERRORS } from "./errors-hosts.ts";
import { OBJECT_ERRORS } from "./errors-objects.ts";
import { PLAN_ERRORS } from "./errors-plans.ts";
import { REQUEST_ERRORS } from "./errors-requests.ts";
import { SSH_ERRORS } from "./errors-ssh.ts";
import { STEP_ERRORS } from "./errors-steps.ts";
import type { Problem } from "./problems.ts";

export type { ErrorKind } from "./error-kind.ts";

/**
 * Every error a user can meet, by its stable code. A code never changes its meaning and is never reused.
 * docs/errors.md explains each one; a test compares the two in both directions.
 */
export const ERRORS = {
  "store-too-new": kind(
    500,
    "The store was written by a newer Drover",
    false,
    "Start the newer version again, or restore a backup that was made before the upgrade.",
  ),
  "store-damaged": kind(
    500,
    "The store is damaged",
    false,
    "Stop Drover, keep a copy of the file, and restore the last backup with `drover store restore`.",
  ),
  "store-locked": kind(
    503,
    "The store is locked by another process",
    true,
    "Find out who holds the database open and end it, then try again.",
  ),
  "store-full": kind(
    503,
    "There is no room left to write to the store",
    true,
    "Free disk space where the database lies; nothing was written and reads go on.",
  ),
  "store-unreachable": kind(503, "The store cannot be reached", true, "Check the database server, then try again."),
  "store-migration-changed": kind(
    500,
    "A migration that was already applied reads differently now",
    false,
    "Run the program version that the database was made with; migrations are never edited.",
  ),
  "master-key-wrong": kind(
    500,
    "The master key does not fit this store",
    false,
    "Put back the key file that belongs to this database; without it its secrets cannot be read.",
  ),
  "master-key-unusable": kind(
    500,
    "The master key cannot be read",
    false,
    "The key file must hold 32 bytes as 64 hexadecimal digits and be readable by Drover's user only.",
  ),
  "secret-unreadable": kind(
    500,
    "A stored secret cannot be decrypted",
    false,
    "Its row was changed outside Drover, or its master key is missing. Set the secret again.",
  ),
  "audit-chain-broken": kind(
    500,
    "The audit log was changed outside Drover",
    false,
    "Compare with a backup; the entry named is the first that does not fit.",
  ),
  "cluster-not-found": kind(404, "There is no such cluster", false, "List the clusters to see which names exist."),
  "cluster-exists": kind(
    409,
    "A cluster with this name exists",
    false,
    "Choose another name, or edit the existing one.",
  ),
  "cluster-deleting": kind(
    409,
    "The cluster is being deleted",
    false,
    "Wait until the deletion has ended, then declare the cluster again.",
  ),
  "cluster-protected": kind(409, "The cluster is protected", false, "Take the protection off first."),
  "generation-conflict": kind(
    412,
    "The cluster has changed since you read it",
    false,
    "Read it again, look at the difference, and repeat your change on top of it.",
  ),
  "job-not-found": kind(404, "There is no such job", false, "List the jobs of the cluster to see which exist."),
  "job-live": kind(409, "Another job of this cluster is still running", true, "Wait for it to end, or cancel it."),
  "job-finished": kind(
    409,
    "The job has already ended",
    false,
    "Nothing is left to cancel; retry it or start a new one.",
  ),
  "lease-lost": kind(
    409,
    "Another worker has taken over",
    false,
    "The write was refused because its fencing token is no longer valid; nothing was changed.",
  ),
  "placement-mismatch": kind(
    409,
    "This worker cannot speak for the cluster",
    false,
    "The cluster lives on another host; only a worker there may observe or change it.",
  ),
  "idempotency-key-reused": kind(
    422,
    "The Idempotency-Key was used for a different request",
    false,
    "Use a new key for a new request.",
  ),
  "event-cursor-expired": kind(
    410,
    "The event cursor is older than what is kept",
    false,
    "Read the current state once, then follow from the cursor it names.",
  ),
  "page-cursor-invalid": kind(400, "The page cursor is not one of ours", false, "Start again from the first page."),
  "objects-remain": kind(
    409,
    "Something of the cluster is still there",
    true,
    "Remove what the details name, or run the deletion again; the record stays until everything was seen gone.",
  ),
  "object-taken": kind(
    409,
    "Another cluster owns this object",
    false,
    "Delete the other cluster first, or choose another name for this one.",
  ),
  "plan-stale": kind(409, "The plan no longer fits", false, "Make a new plan, look at it, and apply that one."),
  "setting-conflict": kind(
    412,
    "The setting has changed since you read it",
    false,
    "Read it again and repeat your change on top of it.",
  ),
  "user-exists": kind(409, "A user with this name exists", false, "Choose another name, or change the existing user."),
  "user-not-found": kind(404, "There is no such user", false, "List the users to see which exist."),
  "backup-unusable": kind(
    400,
    "The backup cannot be used",
    false,
    "Take another backup file: this one is incomplete, was changed, or is from a newer Drover.",
  ),
  "store-not-empty": kind(
    409,
    "The store already holds data",
    false,
    "Restore into a new, empty database; nothing was written.",
  ),
  ...REQUEST_ERRORS,
  ...ACCESS_ERRORS,
  ...HOST_ERRORS,
  ...OBJECT_ERRORS,
  ...PLAN_ERRORS,
  ...STEP_ERRORS,
  ...SSH_ERRORS,
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** The only kind of error that is meant for a user. Anything else that is thrown is a bug. */
export class DroverError extends Error {
  override readonly name = "DroverError";
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];
  /** Facts for programs: the current generation, the id of a live job. Never secrets. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { problems?: readonly Problem[]; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.problems = options.problems ?? [];
    this.details = options.details ?? {};
  }

  get kind(): ErrorKind {
    return ERRORS[this.code];
  }
}

export function isDroverError(error: unknown, code?: ErrorCode): error is DroverError {
  return error instanceof DroverError && (code === undefined || error.code === code);
}
