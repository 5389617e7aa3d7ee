import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeToken, SseClient, startServer } from "../../../test/live.ts";
import { sqliteSubject } from "../../../test/store-world.ts";
import { ada, declare, declareAndClaim, type StoreWorld } from "../../ports/store/world.conformance.ts";

let world: StoreWorld;
let server: Awaited<ReturnType<typeof startServer>>;
let viewer: Awaited<ReturnType<typeof makeToken>>;
const open: { destroy(): void }[] = [];

beforeEach(async () => {
  world = await sqliteSubject("libsql").create();
  server = await startServer(world.store);
  viewer = await makeToken(world.store);
});
afterEach(async () => {
  for (const client of open.splice(0)) client.destroy();
  await server.close();
  await world.dispose();
});

function follow(path: string, options: Partial<ConstructorParameters<typeof SseClient>[1]> = {}) {
  const client = new SseClient(`${server.url}${path}`, { headers: viewer.headers, ...options });
  open.push(client);
  return client;
}

const kindsAndClusters = (client: SseClient) =>
  client.data.map((event) => {
    const { kind, cluster } = event as { kind: string; cluster: string };
    return [kind, cluster];
  });

describe("the stream of events", () => {
  it("begins with what is new, and tells its place before anything happens", async () => {
    await declare(world.store, "old");
    const client = await follow("/api/v1/events/stream").until(({ lastEventId }) => lastEventId === "1");
    await declare(world.store, "new");
    await client.until(({ data }) => data.length === 1);
    expect(client.data).toEqual([
      {
        cursor: 2,
        time: expect.any(String),
        kind: "cluster.create",
        cluster: "new",
        jobId: expect.any(String),
        body: expect.anything(),
      },
    ]);
    expect(client.events[0]).toMatchObject({ event: "message", lastEventId: "2" });
    expect(client.text).toContain("retry: 1000");
  });

  it("goes on after a cursor, and after the last event that was seen rather than that", async () => {
    for (const name of ["a", "b", "c"]) await declare(world.store, name);
    const all = await follow("/api/v1/events/stream?after=0").until(({ data }) => data.length === 3);
    expect(all.data.map((event) => (event as { cursor: number }).cursor)).toEqual([1, 2, 3]);
    const rest = follow("/api/v1/events/stream?after=0", { lastEventId: "2" });
    await rest.until(({ data }) => data.length === 1);
    expect(kindsAndClusters(rest)).toEqual([["cluster.create", "c"]]);
  });

  it("names the cluster also where the event itself does not", async () => {
    const { ref } = await declareAndClaim(world.store, "dev");
    await world.store.jobs.beginPlan(ref, { hash: "h", body: {}, steps: [] });
    const client = await follow("/api/v1/events/stream?after=0").until(({ data }) => data.length >= 3);
    expect(kindsAndClusters(client).at(-1)).toEqual(["job.planned", "dev"]);
  });

  it("says so when the cursor is no longer kept, or is of another history, and goes on from now", async () => {
    await declare(world.store, "a");
    await declare(world.store, "b");
    await world.execute("update events set at = 1 where cursor = 1");
    const day = 86_400_000;
    await world.store.upkeep.applyRetention({
      ...{ events: day, finishedJobs: day, goneObjects: day, deletedClusters: day },
      ...{ idempotencyKeys: day, delivered: day, endedAccess: day },
    });
    for (const place of ["0", "999"]) {
      const client = follow("/api/v1/events/stream", { lastEventId: place });
      await client.until(({ events }) => events.length > 0);
      expect(client.events).toEqual([{ event: "reset", data: '{"cursor":2}', lastEventId: "2" }]);
      await declare(world.store, `after-${place}`);
      await client.until(({ data }) => data.length === 1);
      expect(kindsAndClusters(client)).toEqual([["cluster.create", `after-${place}`]]);
      client.destroy();
      await world.execute("delete from events where cursor > 2");
      await world.execute("update sqlite_sequence set seq = 2 where name = 'events'");
    }
  });

  it("shows only what the filter meets, by the labels of now", async () => {
    await declare(world.store, "red", { labels: { colour: "red" } });
    await declare(world.store, "blue", { labels: { colour: "blue" } });
    await world.store.settings.putSetting(ada, { key: "some.setting", value: 1 });
    const all = follow("/api/v1/events/stream?after=0");
    const red = follow("/api/v1/events/stream?after=0&selector=colour%3Dred");
    const blue = follow("/api/v1/events/stream?after=0&cluster=blue");
    await declare(world.store, "last", { labels: { colour: "red" } });
    await all.until(({ data }) => data.length === 4);
    await red.until(({ data }) => data.length === 2);
    await blue.until(({ data }) => data.length === 1);
    expect(kindsAndClusters(red).map(([, cluster]) => cluster)).toEqual(["red", "last"]);
    expect(kindsAndClusters(blue).map(([, cluster]) => cluster)).toEqual(["blue"]);
  });

  it("never shows what is out of the viewer's scope, nor what belongs to no cluster", async () => {
    const scoped = await makeToken(world.store, "viewer", ["team=a"]);
    await declare(world.store, "mine", { labels: { team: "a" } });
    await declare(world.store, "theirs", { labels: { team: "b" } });
    await world.store.settings.putSetting(ada, { key: "some.setting", value: 1 });
    const client = follow("/api/v1/events/stream?after=0", { headers: scoped.headers });
    await client.until(({ data }) => data.length === 1);
    await declare(world.store, "theirs-too");
    const { cluster } = await declare(world.store, "mine-too", { labels: { team: "a" } });
    await client.until(({ data }) => data.length === 2);
    // Another team gets the cluster: from now on it is none of the viewer's business.
    await declare(world.store, "mine-too", { labels: { team: "b" }, expectedVersion: cluster.version });
    await declare(world.store, "mine-last", { labels: { team: "a" } });
    await client.until(({ data }) => data.length === 3);
    expect(kindsAndClusters(client).map(([, name]) => name)).toEqual(["mine", "mine-too", "mine-last"]);
    const named = follow("/api/v1/events/stream?after=0&cluster=theirs", { headers: scoped.headers });
    // The first that it shows is of another cluster of that name, which is the viewer's.
    await world.execute("update clusters set deleted_at = 5 where name = 'theirs'");
    await declare(world.store, "theirs", { labels: { team: "a" } });
    await named.until(({ data }) => data.length === 1);
    expect(named.data).toMatchObject([{ cursor: await world.store.read.lastEventCursor() }]);
  });

  it("keeps to what is known of a cluster that is deleted", async () => {
    const scoped = await makeToken(world.store, "viewer", ["team=a"]);
    await declare(world.store, "mine", { labels: { team: "a" } });
    await declare(world.store, "theirs", { labels: { team: "b" } });
    await world.execute("update clusters set deleted_at = 5");
    const client = follow("/api/v1/events/stream?after=0", { headers: scoped.headers });
    await client.until(({ data }) => data.length === 1);
    expect(kindsAndClusters(client)).toEqual([["cluster.create", "mine"]]);
  });

  it("hides from whoever has scopes the events of a cluster that nothing is known of any more", async () => {
    const scoped = await makeToken(world.store, "viewer", ["!secret"]);
    await declare(world.store, "gone");
    await world.execute("update events set cluster_id = 'nobody'");
    await declare(world.store, "here");
    const client = follow("/api/v1/events/stream?after=0", { headers: scoped.headers });
    await client.until(({ data }) => data.length === 1);
    expect(kindsAndClusters(client)).toEqual([["cluster.create", "here"]]);
    const all = await follow("/api/v1/events/stream?after=0").until(({ data }) => data.length === 2);
    expect(kindsAndClusters(all)[0]).toEqual(["cluster.create", "gone"]);
  });

  it("refuses what it cannot read", async () => {
    for (const [path, lastEventId] of [
      ["?selector=%3D%3D", null],
      ["?after=-1", null],
      ["", "abc"],
    ] as const) {
      const client = follow(`/api/v1/events/stream${path}`, { lastEventId });
      await client.until(({ status, isClosed }) => status !== null && isClosed);
      expect([client.status, client.text.includes("request-invalid")], path).toEqual([400, true]);
    }
  });
});
