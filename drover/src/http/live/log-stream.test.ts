import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { makeToken, SseClient, startServer } from "../../../test/live.ts";
import { sqliteSubject } from "../../../test/store-world.ts";
import type { JobRef } from "../../ports/store/index.ts";
import { ada, claimOne, declare, declareAndClaim, type StoreWorld } from "../../ports/store/world.conformance.ts";

const line = (text: string, more: { stepId?: string; host?: string } = {}) =>
  ({ stepId: "a", host: "local", stream: "stdout", text, ...more }) as const;
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => line(`line ${from + index}`));

let world: StoreWorld;
let server: Awaited<ReturnType<typeof startServer>>;
let viewer: Awaited<ReturnType<typeof makeToken>>;
let ref: JobRef;
const open: { destroy(): void }[] = [];

beforeEach(async () => {
  world = await sqliteSubject("libsql").create();
  server = await startServer(world.store);
  viewer = await makeToken(world.store);
  ({ ref } = await declareAndClaim(world.store));
});
afterEach(async () => {
  for (const client of open.splice(0)) client.destroy();
  await server.close();
  await world.dispose();
});

const address = (path: string) => `${server.url}/api/v1/jobs/${ref.jobId}/log${path}`;
const append = (from: number, to: number) => world.store.jobs.appendLog(ref, numbered(from, to));
const finish = () => world.store.jobs.finishJobs([{ ref, state: "Succeeded" }]);

function follow(path: string, options: Partial<ConstructorParameters<typeof SseClient>[1]> = {}) {
  const client = new SseClient(address(path), { headers: viewer.headers, ...options });
  open.push(client);
  return client;
}

const linesOf = (client: SseClient) => client.data.map((one) => (one as { line: number }).line);
const endOf = ({ events }: SseClient) => events.find(({ event }) => event === "end");
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** A WebSocket and everything that came over it. */
function connect(path: string, headers: Readonly<Record<string, string>> = viewer.headers) {
  const socket = new WebSocket(address(path).replace("http:", "ws:"), { headers });
  const messages: { type: string; lines?: { line: number; text: string }[] }[] = [];
  socket.on("message", (data) => messages.push(JSON.parse((data as Buffer).toString())));
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  const refused = new Promise<number>((resolve) => {
    socket.once("unexpected-response", (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on("error", () => {});
  });
  open.push({ destroy: () => socket.terminate() });
  const lines = () => messages.flatMap((message) => message.lines ?? []).map((one) => one.line);
  return { socket, messages, lines, closed, refused };
}

describe("a log as server-sent events", () => {
  it("comes from any line on, then as it grows, and ends with the job", async () => {
    await append(1, 5);
    const all = follow("/stream");
    const some = follow("/stream?from=4");
    const rest = follow("/stream?from=1", { lastEventId: "5" });
    await all.until(({ data }) => data.length === 5);
    await append(6, 8);
    await finish();
    for (const client of [all, some, rest]) await client.until(({ isClosed }) => isClosed);
    expect([all, some, rest].map(linesOf)).toEqual([range(1, 8), range(4, 8), range(6, 8)]);
    expect(all.data[7]).toEqual({
      ...{ line: 8, time: expect.any(String), step: "a", host: "local", stream: "stdout", text: "line 8" },
    });
    for (const client of [all, some, rest]) expect(endOf(client)?.data).toBe('{"state":"Succeeded","last":8}');
  });

  it("is complete and over at once when the job has ended before", async () => {
    await append(1, 3);
    await finish();
    const [all, none] = [follow("/stream"), follow("/stream?from=9")];
    await all.until(({ isClosed }) => isClosed);
    await none.until(({ isClosed }) => isClosed);
    expect([linesOf(all), linesOf(none)]).toEqual([range(1, 3), []]);
    expect([all, none].map((client) => endOf(client)?.data)).toEqual(Array(2).fill('{"state":"Succeeded","last":3}'));
  });

  it("shows one step or one host, and waits for a line that is not there yet", async () => {
    await world.store.jobs.appendLog(ref, [line("1"), line("2", { stepId: "b" }), line("3", { host: "n1" })]);
    const clients = ["/stream?step=b", "/stream?host=n1", "/stream?from=4"].map((path) => follow(path));
    await world.store.jobs.appendLog(ref, [line("4", { stepId: "b", host: "n1" })]);
    await finish();
    for (const client of clients) await client.until(({ isClosed }) => isClosed);
    expect(clients.map(linesOf)).toEqual([[2, 4], [3, 4], [4]]);
  });

  it("is not there for those who may not see the cluster, and ends when it is taken from them", async () => {
    const scoped = await makeToken(world.store, "viewer", ["team=a"]);
    const hidden = follow("/stream", { headers: scoped.headers });
    await hidden.until(({ isClosed }) => isClosed);
    expect([hidden.status, hidden.text.includes("job-not-found")]).toEqual([404, true]);
    expect(await connect("/socket", scoped.headers).refused).toBe(404);

    const { cluster } = await declare(world.store, "mine", { labels: { team: "a" } });
    ({ ref } = await claimOne(world.store));
    await append(1, 1);
    const seen = await follow("/stream", { headers: scoped.headers }).until(({ data }) => data.length === 1);
    const unscoped = follow("/stream");
    await declare(world.store, "mine", { labels: { team: "b" }, expectedVersion: cluster.version });
    await seen.until(({ isClosed }) => isClosed);
    await append(2, 2);
    await unscoped.until(({ data }) => data.length === 2);
    expect(linesOf(seen)).toEqual([1]);
  });
});

describe("a log over a WebSocket", () => {
  it("comes from any line on, and says when there will be no more", async () => {
    await append(1, 5);
    const client = connect("/socket?from=2");
    await expect.poll(() => client.lines().length).toBe(4);
    await world.store.jobs.appendLog(ref, [line("集群 🚜".repeat(30_000)), ...numbered(7, 400)]);
    await finish();
    expect(await client.closed).toBe(1000);
    expect(client.lines()).toEqual(range(2, 400));
    expect(client.messages[0]).toEqual({ type: "hello", after: 1 });
    expect(client.messages.at(-1)).toEqual({ type: "end", state: "Succeeded", last: 400 });
    const long = client.messages.flatMap(({ lines = [] }) => lines).find((one) => one.line === 6);
    expect(long?.text).toBe("集群 🚜".repeat(30_000));
  });

  it("answers pings in between", async () => {
    const client = connect("/socket");
    await expect.poll(() => client.messages.length).toBe(1);
    const answered = new Promise((resolve) => client.socket.once("pong", resolve));
    client.socket.ping();
    await append(1, 300);
    await answered;
    await expect.poll(() => client.lines()).toEqual(range(1, 300));
  });

  it("is refused to pages of other sites, to nobody, and to requests that are none for a socket", async () => {
    const origin = (value: string) => connect("/socket", { ...viewer.headers, origin: value }).refused;
    expect(await origin("https://evil.example")).toBe(403);
    expect(await origin("null")).toBe(403);
    expect(await origin(`http://127.0.0.1:${server.port + 1}`)).toBe(403);
    expect(await connect("/socket", {}).refused).toBe(401);
    expect(await connect("/socket?from=0").refused).toBe(400);
    expect(await connect("/socket/%zz").refused).toBe(400);
    const same = connect("/socket", { ...viewer.headers, origin: server.url });
    await expect.poll(() => same.messages.length).toBe(1);
    const plain = await fetch(address("/socket"), { headers: viewer.headers });
    expect([plain.status, ((await plain.json()) as { code: string }).code]).toEqual([400, "request-invalid"]);
  });
});

describe("open streams", () => {
  it("end when their token is revoked, and can not be opened again", async () => {
    const sse = follow("/stream");
    const events = new SseClient(`${server.url}/api/v1/events/stream`, { headers: viewer.headers });
    const socket = connect("/socket");
    const other = await makeToken(world.store);
    const staying = follow("/stream", { headers: other.headers });
    await append(1, 1);
    await sse.until(({ data }) => data.length === 1);
    await expect.poll(() => socket.lines()).toEqual([1]);
    await world.store.access.revokeToken(ada, viewer.id);
    await sse.until(({ isClosed }) => isClosed);
    await events.until(({ isClosed }) => isClosed);
    expect(await socket.closed).toBe(4401);
    const again = follow("/stream");
    await again.until(({ isClosed }) => isClosed);
    expect(again.status).toBe(401);
    await append(2, 2);
    await staying.until(({ data }) => data.length === 2);
  });

  it("end with the server, which does not wait for those that do not read", async () => {
    const sse = await follow("/stream").until(({ lastEventId }) => lastEventId === "0");
    const socket = connect("/socket");
    await expect.poll(() => socket.messages.length).toBe(1);
    follow("/stream", { stalled: true });
    const stalled = connect("/socket");
    await expect.poll(() => stalled.messages.length).toBe(1);
    stalled.socket.pause();
    for (let turn = 0; turn < 20; turn++) {
      await world.store.jobs.appendLog(
        ref,
        Array.from({ length: 100 }, () => line("x".repeat(8_000))),
      );
    }
    await sse.until(({ events }) => events.length === 2_000);
    await expect.poll(() => socket.lines().length).toBe(2_000);
    await server.close();
    await sse.until(({ isClosed }) => isClosed);
    expect(await socket.closed).toBe(1012);
    expect(endOf(sse)).toBeUndefined();
  });

  it("leave nothing behind when they are gone", async () => {
    const clients = [follow("/stream"), follow("/stream?from=3")];
    for (const client of clients) await client.until(({ lastEventId }) => lastEventId !== null);
    const connections = () =>
      new Promise<number>((resolve) => server.server.server.getConnections((_, count) => resolve(count)));
    for (const client of clients) client.destroy();
    await expect.poll(connections).toBe(0);
    const left = ref;
    await declare(world.store, "other");
    ({ ref } = await claimOne(world.store));
    const staying = await follow("/stream").until(({ lastEventId }) => lastEventId !== null);
    const reads: string[] = [];
    const { read } = world.store;
    const readLog = read.readLog.bind(read);
    read.readLog = (query) => {
      reads.push(query.jobId);
      return readLog(query);
    };
    await world.store.jobs.appendLog(left, numbered(1, 1));
    await append(1, 1);
    // The log that somebody still follows is read: so all that was to be read has been.
    await staying.until(({ data }) => data.length === 1);
    expect(new Set(reads)).toEqual(new Set([ref.jobId]));
  });
});

describe("a log that is read", () => {
  const ask = async (path: string) => {
    const answer = await fetch(address(path), { headers: viewer.headers });
    return (await answer.json()) as { lines: { line: number; text: string }[]; last: number; total: number };
  };

  it("comes in pages, each telling where the next one begins", async () => {
    await append(1, 2_500);
    const first = await ask("?limit=1200");
    expect([first.lines.length, first.last, first.total]).toEqual([1_200, 1_200, 2_500]);
    const second = await ask(`?from=${first.last + 1}&limit=10000`);
    expect([second.lines[0]?.line, second.lines.length, second.last]).toEqual([1_201, 1_300, 2_500]);
    expect(await ask("?from=2501")).toEqual({ lines: [], last: 2_500, total: 2_500 });
  });

  it("can be of one step, past whatever lies between", async () => {
    await append(1, 1_500);
    await world.store.jobs.appendLog(ref, [line("x", { stepId: "b" }), line("y"), line("z", { stepId: "b" })]);
    const found = await ask("?step=b&limit=1");
    expect([found.lines.map((one) => one.text), found.last, found.total]).toEqual([["x"], 1_501, 1_503]);
    expect((await ask(`?step=b&from=${found.last + 1}`)).lines.map((one) => one.text)).toEqual(["z"]);
  });

  it("can be searched", async () => {
    await append(1, 30);
    expect(await ask("/search?text=LINE%202&limit=2")).toMatchObject({ total: 11, lines: [{ line: 2 }, { line: 20 }] });
  });
});

describe("events that are listed", () => {
  const ask = async (query: string, headers = viewer.headers) => {
    const answer = await fetch(`${server.url}/api/v1/events${query}`, { headers });
    const json = (await answer.json()) as { items: { cluster: string }[]; cursor: number; code?: string };
    return { status: answer.status, ...json };
  };

  it("go on after a cursor, which also passes what is left out", async () => {
    for (const name of ["b", "c", "d"]) await declare(world.store, name, { labels: { team: name } });
    const first = await ask("?limit=3");
    expect([first.items.map(({ cluster }) => cluster), first.cursor]).toEqual([["dev", "dev", "b"], 3]);
    const second = await ask(`?after=${first.cursor}`);
    expect([second.items.map(({ cluster }) => cluster), second.cursor]).toEqual([["c", "d"], 5]);
    const named = await ask("?cluster=c");
    expect([named.items.map(({ cluster }) => cluster), named.cursor]).toEqual([["c"], 5]);
    const { headers } = await makeToken(world.store, "viewer", ["team in (b,c)"]);
    const scoped = await ask("?selector=team%21%3Dc", headers);
    expect([scoped.items.map(({ cluster }) => cluster), scoped.cursor]).toEqual([["b"], 5]);
  });

  it("are refused after a cursor that is not kept, or is of another history", async () => {
    expect(await ask("?after=99")).toMatchObject({ status: 410, code: "event-cursor-expired" });
    await world.execute("update events set at = 1 where cursor = 1");
    const day = 86_400_000;
    await world.store.upkeep.applyRetention({
      ...{ events: day, finishedJobs: day, goneObjects: day, deletedClusters: day },
      ...{ idempotencyKeys: day, delivered: day, endedAccess: day },
    });
    expect(await ask("?after=0")).toMatchObject({ status: 410, code: "event-cursor-expired", oldest: 2 });
    expect((await ask("")).items).toHaveLength(1);
  });
});
