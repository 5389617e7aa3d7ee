import pg from "pg";
import type { TestProject } from "vitest/node";
import { systemClock } from "../src/ports/clock.ts";
import { openPostgres } from "../src/store/postgres/open.ts";
import { startPostgres } from "./embedded-postgres.ts";
import { findMemoryFolder } from "./memory-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A server in which every test makes databases of its own; see database.ts. */
    postgresUrl: string;
    /** The name of a database with our schema and nothing in it, to be copied. */
    postgresTemplate: string;
  }
}

const TEMPLATE = "drover_template";

/** One real PostgreSQL for the whole run. What it holds is thrown away, so it does not wait for the disk. */
export default async function startDatabases(project: TestProject): Promise<() => Promise<void>> {
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  const server = await startPostgres({ settings, folder: findMemoryFolder(1_500_000_000) });
  const client = new pg.Client({ connectionString: `${server.url}/postgres` });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await (await openPostgres({ url: `${server.url}/${TEMPLATE}`, clock: systemClock })).close();
  project.provide("postgresUrl", server.url);
  project.provide("postgresTemplate", TEMPLATE);
  return server.stop;
}
