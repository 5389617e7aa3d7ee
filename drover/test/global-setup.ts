import type { TestProject } from "vitest/node";
import { startPostgres } from "./embedded-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A server with no database of ours yet; see database.ts. */
    postgresUrl: string;
  }
}

/** One real PostgreSQL for the whole run; every test makes a database of its own in it. */
export default async function startDatabases(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return server.stop;
}
