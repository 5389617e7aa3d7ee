import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeToken, SseClient, startServer } from "../../../test/live.ts";
import { postgresSubject, sqliteSubject } from "../../../test/store-world.ts";
import { declare, declareAndClaim, type StoreSubject, type StoreWorld } from "../../ports/store/world.conformance.ts";
import { HIGH_WATER_BYTES } from "./sink.ts";

const line = (text: string, stepId = "a") => ({ stepId, host: "local", stream: "stdout", text }) as const;
const range = (to: number) => Array.from({ length: to }, (_, index) => index + 1);
const numberOf = (data: string) => {
  const { line: number, cursor } = JSON.parse(data) as { line?: number; cursor?: number };
  return number ?? cursor;
};

async function openWorld(subject: StoreSubject): Promise<StoreWorld> {
  const world = await subject.create();
  onTestFinished(() => world.dispose());
  return world;
}

async function start(world: StoreWorld, store = world.store) {
  const server = await startServer(store);
  onTestFinished(() => server.close());
  return server;
}

/** Reads a stream to its end and comes back as often as it breaks, as the command line does. */
class Follower {
  readonly seen: (number | undefined)[] = [];
  breaks = 0;
  isDone = false;
  #client: SseClient | null = null;

  async follow(url: () => string, headers: Readonly<Record<string, string>>): Promise<void> {
    let lastEventId: string | null = null;
    while (!this.isDone) {
      const client: SseClient = new SseClient(url(), { headers, lastEventId });
      this.#client = client;
      await client.until(({ isClosed, events }) => isClosed || events.some(({ event }) => event === "end"));
      for (const { event, data } of client.events) {
        if (event === "message") this.seen.push(numberOf(data));
        if (event === "end") this.isDone = true;
      }
      lastEventId = client.lastEventId ?? lastEventId;
      client.destroy();
      this.breaks += 1;
      // The server may be between two lives: it is not asked as fast as one can.
      await sleep(5);
    }
  }

  /** How much came so far, also over the connection that is open. */
  get received(): number {
    return this.seen.length + (this.#client?.isClosed === false ? this.#client.data.length : 0);
  }

  interrupt(): void {
    this.#client?.destroy();
  }

  stop(): void {
    this.isDone = true;
    this.interrupt();
  }
}

describe("streams that break again and again, by the end of the server or without a word", () => {
  it("lose nothing and bring nothing twice", async () => {
    const world = await openWorld(sqliteSubject("libsql"));
    const { store } = world;
    const { headers } = await makeToken(store);
    const { ref } = await declareAndClaim(store);
    let server = await startServer(store);
    const logs = range(6).map(() => new Follower());
    const events = range(4).map(() => new Follower());
    const following = [
      ...logs.map((one) => one.follow(() => `${server.url}/api/v1/jobs/${ref.jobId}/log/stream`, headers)),
      ...events.map((one) => one.follow(() => `${server.url}/api/v1/events/stream?after=0`, headers)),
    ];
    const lines = 1_500;
    const atRestart: number[] = [];
    for (let written = 0, turn = 0; written < lines; turn++) {
      const batch = Math.min(1 + ((turn * 7) % 23), lines - written);
      await store.jobs.appendLog(
        ref,
        Array.from({ length: batch }, (_, index) => line(`line ${written + index + 1}`)),
      );
      written += batch;
      if (turn % 3 === 0) await declare(store, `c-${turn}`);
      if (turn % 5 === 0) [...logs, ...events][turn % 10]?.interrupt();
      if (turn % 25 === 24) {
        // All of them are on it, and in the middle of something.
        for (const [index, one] of logs.entries()) {
          await expect.poll(() => one.received).toBeGreaterThan(atRestart[index] ?? 0);
          atRestart[index] = one.received;
        }
        await server.close();
        server = await startServer(store);
      }
    }
    await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
    const last = await store.read.lastEventCursor();
    await Promise.all(following.slice(0, logs.length));
    for (const one of events) {
      await expect.poll(() => one.received).toBeGreaterThanOrEqual(last);
      one.stop();
    }
    await Promise.all(following);
    await server.close();
    for (const one of logs) expect(one.seen).toEqual(range(lines));
    for (const one of events) expect(one.seen).toEqual(range(last));
    expect(Math.min(...logs.map(({ breaks }) => breaks))).toBeGreaterThan(3);
  });
});

describe("two hundred viewers, fifty of which do not read", () => {
  it("are all served, with little held for those that do not, and nothing lost once they do", async () => {
    const world = await openWorld(sqliteSubject("libsql"));
    const { store } = world;
    const { headers } = await makeToken(store);
    const { ref } = await declareAndClaim(store);
    const server = await start(world);
    const sockets = new Set<Socket>();
    server.server.server.on("connection", (socket: Socket) => sockets.add(socket));
    const address = `${server.url}/api/v1/jobs/${ref.jobId}/log/stream`;
    const healthy = range(150).map(() => new SseClient(`${address}?step=b`, { headers, onlyIds: true }));
    const stalled = range(50).map(() => new SseClient(address, { headers, onlyIds: true, stalled: true }));
    onTestFinished(() => {
      for (const client of [...healthy, ...stalled]) client.destroy();
    });
    for (const client of [...healthy, ...stalled]) await client.until(({ status }) => status === 200);
    const [turns, long] = [80, "x".repeat(8_000)];
    let mostBuffered = 0;
    const measure = () => {
      mostBuffered = Math.max(mostBuffered, ...[...sockets].map(({ writableLength }) => writableLength));
      return mostBuffered;
    };
    for (let turn = 0; turn < turns; turn++) {
      await store.jobs.appendLog(ref, [...Array.from({ length: 9 }, () => line(long)), line("short", "b")]);
      await new Promise((resolve) => setImmediate(resolve));
      measure();
    }
    for (const client of healthy) await client.until(({ events }) => events.length === turns);
    // They do stall, and what is held for one of them ends with the frame that went over the mark.
    await expect.poll(measure).toBeGreaterThan(HIGH_WATER_BYTES);
    expect(mostBuffered).toBeLessThan(2 * HIGH_WATER_BYTES);
    await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
    for (const client of stalled) client.resume();
    for (const client of [...healthy, ...stalled]) await client.until(({ isClosed }) => isClosed);
    const idsOf = ({ events }: SseClient) =>
      events.filter(({ event }) => event === "message").map(({ lastEventId }) => Number(lastEventId));
    for (const client of stalled) expect(idsOf(client)).toEqual(range(turns * 10));
    for (const client of healthy) expect(idsOf(client)).toEqual(range(turns).map((turn) => turn * 10));
  }, 120_000);
});

describe("two servers on one PostgreSQL", () => {
  it("show a job that was begun through one to those who follow it through the other", async () => {
    const world = await openWorld(postgresSubject);
    const here = await start(world);
    const there = await start(world, await world.open());
    const { headers } = await makeToken(world.store);
    const { ref } = await declareAndClaim(world.store);
    const path = `/api/v1/jobs/${ref.jobId}/log/stream`;
    const clients = [here, there].map(({ url }) => new SseClient(`${url}${path}`, { headers }));
    for (let turn = 0; turn < 20; turn++)
      await world.store.jobs.appendLog(
        ref,
        range(7).map((n) => line(`${n}`)),
      );
    await world.store.jobs.finishJobs([{ ref, state: "Failed", error: { code: "step-failed", message: "no" } }]);
    for (const client of clients) {
      await client.until(({ isClosed }) => isClosed);
      expect(client.data.map((one) => (one as { line: number }).line)).toEqual(range(140));
      expect(client.events.at(-1)).toMatchObject({ event: "end", data: '{"state":"Failed","last":140}' });
    }
  });

  it("show all events in one and the same order, however many write at once", async () => {
    const world = await openWorld(postgresSubject);
    const stores = [world.store, await world.open()];
    const servers = await Promise.all(stores.map((store) => start(world, store)));
    const { headers } = await makeToken(world.store);
    const followers = [...servers, ...servers].map(() => new Follower());
    const following = followers.map((one, index) => {
      // Whoever is cut off comes back to the other server.
      const url = () => `${servers[(index + one.breaks) % 2]?.url}/api/v1/events/stream?after=0`;
      return one.follow(url, headers);
    });
    await Promise.all(
      range(6).map(async (writer) => {
        for (const turn of range(15)) {
          await declare(stores[writer % 2] as (typeof stores)[0], `c-${writer}-${turn}`);
          if (turn % 5 === 0) followers[(writer + turn) % 4]?.interrupt();
        }
      }),
    );
    const { events } = await world.store.read.readEvents({ after: 0, limit: 1_000 });
    expect(events).toHaveLength(90);
    for (const one of followers) {
      await expect.poll(() => one.received).toBeGreaterThanOrEqual(events.length);
      one.stop();
    }
    await Promise.all(following);
    for (const one of followers) expect(one.seen).toEqual(events.map(({ cursor }) => cursor));
  });
});
