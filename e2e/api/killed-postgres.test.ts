import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase } from "../loop/support/postgres-databases.ts";
import { type PostgresServer, startPostgresServer } from "../store/support/postgres-server.ts";
import { Drover, describeCluster, until } from "./support/processes.ts";

const WRITERS = 8;
const READERS = 4;

let postgres: PostgresServer;
let drover: Drover;
beforeAll(async () => {
  postgres = await startPostgresServer();
  const store = `${postgres.url}/${await createDatabase(postgres)}`;
  drover = await Drover.start("server", { store, flags: ["--rate-limit", "0"] });
});
afterAll(async () => {
  await drover?.dispose();
  await postgres.stop();
});

it("serves reads from the snapshot while PostgreSQL is killed, refuses writes for a while, and keeps what it has acknowledged", async () => {
  const acknowledged: string[] = [];
  const refusals: { status: number; code: string; retryAfter: string | null }[] = [];
  const reads = { fresh: 0, fromSnapshot: 0 };
  const unfit: string[] = [];
  let isOver = false;

  const write = async (writer: number) => {
    for (let count = 0; !isOver; count++) {
      const name = `w${writer}-${count}`;
      const { status, headers, json } = await drover.ask("POST", "/api/v1/clusters", describeCluster(name));
      if (status === 202) acknowledged.push(name);
      else {
        refusals.push({ status, code: json?.code, retryAfter: headers.get("retry-after") });
        await sleep(50);
      }
    }
  };
  const read = async () => {
    while (!isOver) {
      const { status, headers, json } = await drover.ask("GET", "/api/v1/clusters?limit=50");
      const time = headers.get("x-drover-snapshot");
      if (status !== 200 || !Array.isArray(json.items)) unfit.push(`${status} ${JSON.stringify(json).slice(0, 200)}`);
      else if (time === null) reads.fresh += 1;
      else reads.fromSnapshot += 1;
      await sleep(20);
    }
  };
  const working = [
    ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
    ...Array.from({ length: READERS }, read),
  ];

  await until(() => acknowledged.length >= 200 && reads.fresh > 0, "writes to be acknowledged");
  // The snapshot is a few seconds old at most; until there is one, nothing can stand in.
  await until(() => snapshotSize(drover) > 0, "a snapshot with clusters in it");
  await postgres.killPostmaster();
  await until(() => refusals.length >= 20 && reads.fromSnapshot >= 20, "refusals, and reads from the snapshot");
  const ready = await drover.ask("GET", "/readyz");
  const one = await drover.ask("GET", `/api/v1/clusters/${acknowledged[0]}`);
  const counts = await drover.ask("GET", "/api/v1/cluster-counts");
  const jobs = await drover.ask("GET", "/api/v1/jobs");
  const before = acknowledged.length;
  await postgres.restart();
  await until(() => acknowledged.length >= before + 50, "writes to go on");
  isOver = true;
  await Promise.all(working);

  expect([ready.status, ready.json.code]).toEqual([503, "store-unreachable"]);
  expect([one.status, one.headers.get("x-drover-snapshot")]).toEqual([200, expect.any(String)]);
  expect([counts.status, counts.headers.get("x-drover-snapshot")]).toEqual([200, expect.any(String)]);
  expect([jobs.status, jobs.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(unfit).toEqual([]);
  for (const refusal of refusals) {
    expect(refusal).toEqual({ status: 503, code: "store-unreachable", retryAfter: "2" });
  }
  const stored = await listNames(drover);
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  expect((await drover.ask("GET", "/api/v1/audit/verify")).json).toMatchObject({ intact: true });
  process.stdout.write(
    `${JSON.stringify({ acknowledged: acknowledged.length, refused: refusals.length, reads, stored: stored.size })}\n`,
  );
});

function snapshotSize({ folder }: Drover): number {
  const file = join(folder, "snapshot.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).clusters.length : 0;
}

async function listNames(from: Drover): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let after = "";
  do {
    const { json, headers } = await from.ask(
      "GET",
      `/api/v1/clusters?limit=500${after === "" ? "" : `&after=${after}`}`,
    );
    expect(headers.get("x-drover-snapshot")).toBeNull();
    for (const { metadata } of json.items) names.add(metadata.name);
    after = json.next ?? "";
  } while (after !== "");
  return names;
}
