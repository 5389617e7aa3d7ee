import { type Migration, statements } from "./migration.ts";

/**
 * What a cancellation asks for beside stopping, what a deletion may leave behind, and how far a running job is. The
 * time at which it will probably end is kept, not how long that is from now: it does not age.
 */
const columns = `
alter table jobs add column cancel_undo bigint not null default 0;
alter table jobs add column release_leftovers bigint not null default 0;
alter table jobs add column percent bigint;
alter table jobs add column expected_end_at bigint;
`;

export const cancelAndProgress: Migration = {
  number: 3,
  name: "cancel-and-progress",
  sql: () => statements(columns),
};
