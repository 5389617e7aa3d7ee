import { type Migration, statements } from "./migration.ts";

/**
 * `last_change_presence` is what the newest look before the end of the last change saw: whether the cluster was there. A
 * change that failed on what was there has said nothing about a cluster that is gone by now.
 */
const columns = "alter table clusters add column last_change_presence text;";

export const seenBeforeTheEnd: Migration = { number: 9, name: "seen-before-the-end", sql: () => statements(columns) };
