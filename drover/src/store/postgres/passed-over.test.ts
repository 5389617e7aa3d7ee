import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createPostgresDatabase } from "../../../test/database.ts";
import { createWorld } from "../../../test/store-world.ts";
import { systemClock } from "../../ports/clock.ts";
import {
  claimAll,
  declare,
  declareAndClaim,
  expireLease,
  type StoreWorld,
  specWith,
  workerAt,
} from "../../ports/store/world.conformance.ts";
import { openPostgres } from "./open.ts";
import type { PostgresSession } from "./session.ts";

const worker = workerAt({ id: "w2" });

let world: StoreWorld;
let session: PostgresSession;
beforeEach(async () => {
  world = await createWorld("postgres", await createPostgresDatabase());
  session = await openPostgres({ url: world.url, clock: systemClock });
});
afterEach(async () => {
  await session.close();
  await world.dispose();
});

/** Somebody writes to these rows and wakes nobody, while the work goes on. */
const whileLocked = (table: "clusters" | "jobs", work: () => Promise<void>) =>
  session.write(async (tx) => {
    await sql`select id from ${sql.table(table)} for update`.execute(tx.db);
    await work();
  });

it("has a worker ask again soon for a job that it could not have because its cluster was written to", async () => {
  await declare(world.store, "dev");
  await whileLocked("clusters", async () => {
    expect(await claimAll(world.store, worker)).toEqual([]);
    expect(await world.store.jobs.nextClaimIn(worker)).toBeLessThan(1_000);
    expect(await world.store.jobs.nextClaimIn(workerAt({ providers: ["kind"] }))).toBeNull();
  });
  expect(await claimAll(world.store, worker)).toHaveLength(1);
});

it("has a worker ask again soon for a job whose lease ran out while its holder stands still in a write", async () => {
  const { ref } = await declareAndClaim(world.store);
  await expireLease(world, ref);
  await whileLocked("jobs", async () => {
    expect(await claimAll(world.store, worker)).toEqual([]);
    expect(await world.store.jobs.nextClaimIn(worker)).toBeLessThan(1_000);
  });
  expect(await claimAll(world.store, worker)).toMatchObject([{ takenOver: true }]);
});

it("does not have it ask for jobs that wait for others", async () => {
  await declareAndClaim(world.store);
  await declare(world.store, "dev", { spec: specWith(2), jobKind: "update" });
  const next = await world.store.jobs.nextClaimIn(worker);
  expect(next).toBeGreaterThan(1_000);
});
