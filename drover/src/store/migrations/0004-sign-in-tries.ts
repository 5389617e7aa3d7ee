import { type Migration, statements } from "./migration.ts";

/** How often somebody tried to sign in to an account or from an address without success; shared by all servers. */
const table = `
create table sign_in_tries (
  key text primary key,
  tries bigint not null,
  last_try_at bigint not null,
  blocked_until bigint not null
);
create index sign_in_tries_last on sign_in_tries (last_try_at);
`;

export const signInTries: Migration = { number: 4, name: "sign-in-tries", sql: () => statements(table) };
