import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createPostgresDatabase } from "../../../test/database.ts";
import { createWorld } from "../../../test/store-world.ts";
import { systemClock } from "../../ports/clock.ts";
import {
  claimOne,
  declareAndClaim,
  refusalOf,
  type StoreWorld,
  workerAt,
} from "../../ports/store/world.conformance.ts";
import { assertHolder } from "../queries/hold-jobs.ts";
import { openPostgres } from "./open.ts";
import type { PostgresSession } from "./session.ts";

/** Longer than any machine stands still between two statements. */
const IDLE_MS = 300_000;

let world: StoreWorld;
let session: PostgresSession;
beforeEach(async () => {
  world = await createWorld("postgres", await createPostgresDatabase());
  session = await openPostgres({ url: world.url, clock: systemClock, idleWriteMs: IDLE_MS });
});
afterEach(async () => {
  await session.close();
  await world.dispose();
});

it("ends a write that stands still, so that the job it had locked can be taken over", async () => {
  const { ref } = await declareAndClaim(world.store);
  await world.execute("update jobs set lease_expires_at = 0");
  let takenOver = false;
  const standing = session.write(async (tx) => {
    await assertHolder(tx, ref);
    await sql`insert into plans (hash, body, created_at) values ('late', '{}', 1)`.execute(tx.db);
    expect(await world.store.jobs.claimJobs(workerAt({ id: "w2" }), { limit: 1, leaseMs: 60_000 })).toEqual([]);
    // From here on the least that there is.
    await sql`set local idle_in_transaction_session_timeout = 1`.execute(tx.db);
    await expect
      .poll(() =>
        claimOne(world.store, workerAt({ id: "w2" })).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    takenOver = true;
    await sql`select 1`.execute(tx.db);
  });
  expect(await refusalOf(standing)).toBe("store-unreachable");
  expect(takenOver).toBe(true);
  expect(await world.execute("select hash from plans")).toEqual([]);
});

it("lets a long walk over everything stand still, and see the same moment afterwards", async () => {
  await declareAndClaim(world.store, "before");
  const names = await session.snapshot(async (db) => {
    const first = await db.selectFrom("clusters").select("name").execute();
    await declareAndClaim(world.store, "meanwhile");
    const patience = await sql`show idle_in_transaction_session_timeout`.execute(db);
    expect(patience.rows).toEqual([{ idle_in_transaction_session_timeout: "10min" }]);
    return [first, await db.selectFrom("clusters").select("name").execute()];
  });
  expect(names).toEqual([[{ name: "before" }], [{ name: "before" }]]);
  const { rows } = await session.read((db) => sql`show idle_in_transaction_session_timeout`.execute(db));
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: "5min" }]);
});
