import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase } from "../loop/support/postgres-databases.ts";
import { type PostgresServer, startPostgresServer } from "../store/support/postgres-server.ts";
import { Drover, describeCluster, until } from "./support/processes.ts";

const CLUSTERS = 12;

let postgres: PostgresServer;
let servers: Drover[] = [];
let workers: Drover[] = [];
beforeAll(async () => {
  postgres = await startPostgresServer();
  const store = `${postgres.url}/${await createDatabase(postgres)}`;
  servers = [await Drover.start("server", { store }), await Drover.start("server", { store })];
  // All workers reach the same simulated cloud.
  const first = await Drover.start("worker", { store });
  const others = { store, flags: ["--data-dir", first.folder] };
  workers = [first, await Drover.start("worker", others), await Drover.start("worker", others)];
});
afterAll(async () => {
  // The first worker's folder is shared: it goes last.
  for (const one of [...servers, ...workers.reverse()]) await one.dispose();
  await postgres.stop();
});

it("two servers and three workers on one PostgreSQL behave as one", async () => {
  const [left, right] = servers as [Drover, Drover];
  await until(async () => (await right.ask("GET", "/api/v1/workers")).json.items.length === 3, "three workers");
  const events = follow(right, "/api/v1/events/stream?after=0");

  const names = Array.from({ length: CLUSTERS }, (_, index) => `pair-${index}`);
  const jobs = await Promise.all(
    names.map(async (name, index) => {
      const through = index % 2 === 0 ? left : right;
      const { status, json } = await through.ask("POST", "/api/v1/clusters", describeCluster(name, { ms: 300 }));
      expect(status).toBe(202);
      return json.jobId as string;
    }),
  );

  // A job that was started through one is followed, line by line, through the other.
  const log = follow(right, `/api/v1/jobs/${jobs[0]}/log/stream`);
  await log.ended;
  const lines = log.all("line");
  expect(lines.length).toBeGreaterThan(5);
  expect(lines).toEqual(lines.map((_, index) => index + 1));
  const stored = (await left.ask("GET", `/api/v1/jobs/${jobs[0]}/log?limit=10000`)).json;
  expect(lines.at(-1)).toBe(stored.total);

  const stateOf = async (through: Drover, id: string) => (await through.ask("GET", `/api/v1/jobs/${id}`)).json;
  await until(async () => {
    const all = await Promise.all(jobs.map((id) => stateOf(left, id)));
    return all.every(({ state }) => state === "Succeeded");
  }, "all jobs to succeed");
  const ended = await Promise.all(jobs.map((id) => stateOf(right, id)));
  expect(ended.map(({ state, attempt }) => ({ state, attempt }))).toEqual(
    jobs.map(() => ({ state: "Succeeded", attempt: 1 })),
  );
  expect(new Set(ended.map(({ worker }) => worker)).size).toBeGreaterThan(1);

  // What one server changes, the other one knows at once, and a stale version is refused whoever it is sent to.
  const name = names[0] as string;
  expect((await left.ask("POST", `/api/v1/clusters/${name}/protect`)).status).toBe(202);
  expect((await right.ask("DELETE", `/api/v1/clusters/${name}`)).json.code).toBe("cluster-protected");
  expect((await right.ask("POST", `/api/v1/clusters/${name}/unprotect`)).status).toBe(202);
  expect((await left.ask("DELETE", `/api/v1/clusters/${name}`)).status).toBe(202);
  await until(async () => (await right.ask("GET", `/api/v1/clusters/${name}`)).status === 404, "it to be gone");

  // Each event once, in order, wherever it happened.
  const cursors = events.all("cursor");
  events.stop();
  expect(cursors).toEqual([...new Set(cursors)].sort((one, other) => one - other));
  for (const one of names) expect(events.text()).toContain(one);

  // A token that one server revokes is worth nothing at the other.
  const made = (await left.ask("POST", "/api/v1/tokens", { name: "short", role: "viewer" })).json;
  const asShort = () =>
    fetch(new URL("/api/v1/me", right.access.url), { headers: { authorization: `Bearer ${made.secret}` } });
  expect((await asShort()).status).toBe(200);
  expect((await left.ask("DELETE", `/api/v1/tokens/${made.token.id}`)).status).toBe(204);
  expect((await asShort()).status).toBe(401);
});

/** A stream as it comes, until it ends or is stopped. */
function follow(server: Drover, path: string) {
  const { url, token } = server.access;
  const stopping = new AbortController();
  let text = "";
  const run = async () => {
    const answer = await fetch(new URL(path, url), {
      headers: { authorization: `Bearer ${token}` },
      signal: stopping.signal,
    });
    expect(answer.status).toBe(200);
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  const ended = run().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    ended,
    stop: () => stopping.abort(),
    text: () => text,
    /** A number in what came, such as `line`, in the order in which it came. */
    all: (field: string) =>
      [...text.matchAll(new RegExp(`"${field}":(\\d+)`, "g"))].map(([, number]) => Number(number)),
  };
}
