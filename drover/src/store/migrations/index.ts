import { foundation } from "./0001-foundation.ts";
import { looks } from "./0002-looks.ts";
import { cancelAndProgress } from "./0003-cancel-and-progress.ts";
import { signInTries } from "./0004-sign-in-tries.ts";
import { objects } from "./0005-objects.ts";
import { allocationsAndHibernation } from "./0006-allocations-and-hibernation.ts";
import { machines } from "./0007-machines.ts";
import { backupSchedules } from "./0008-backup-schedules.ts";
import { seenBeforeTheEnd } from "./0009-seen-before-the-end.ts";
import type { Migration } from "./migration.ts";

/** In order. A released entry is never edited; a change of the schema is a new entry. */
export const MIGRATIONS: readonly Migration[] = [
  ...[foundation, looks, cancelAndProgress, signInTries, objects],
  ...[allocationsAndHibernation, machines, backupSchedules, seenBeforeTheEnd],
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export type { DatabaseKind, Migration } from "./migration.ts";
