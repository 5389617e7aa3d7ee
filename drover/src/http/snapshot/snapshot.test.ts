import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DroverError } from "@drover/contract";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { testAccess } from "../../../test/access.ts";
import { asText, openTestServer } from "../../../test/http.ts";
import { describeCluster } from "../../../test/matrix/row.ts";
import { makeTempFolder } from "../../../test/temp-folder.ts";
import { waitFor } from "../../../test/wait-for.ts";
import { declareSpec, readCluster } from "../../app/declare-cluster.ts";
import { systemClock } from "../../ports/clock.ts";
import type { Timer } from "../../ports/timer.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
let file: string;
let hoursLater = 0;
const clock = {
  now: () => systemClock.now() + hoursLater * 3_600_000,
  monotonic: () => systemClock.monotonic() + hoursLater * 3_600_000,
};

/** There is one snapshot, taken when the server is ready, however long a test takes. */
const NEVER: Timer = { after: () => () => {} };

beforeEach(async () => {
  hoursLater = 0;
  const folder = makeTempFolder("snapshot");
  file = join(folder, "snapshot.json");
  test = await openTestServer({ snapshotFile: file, access: testAccess({ clock }) }, { appTimer: NEVER });
  onTestFinished(async () => {
    await test.dispose();
    expect(readdirSync(folder)).toEqual(["environments.csv", "snapshot.json"]);
  });
  // Before the server is asked anything: the first snapshot is taken when it is ready.
  for (const [name, env] of Object.entries({ a1: "dev", a2: "prod", a3: "dev" })) {
    const { spec } = await readCluster(test.app, describeCluster(name));
    const actor = { type: "system", name: "test" } as const;
    await declareSpec(test.app, { name, spec, labels: { env }, annotations: {}, actor, expectedVersion: null });
  }
  await test.server.ready();
  await waitFor(() => expect(readSnapshot().clusters).toHaveLength(3));
  // It is the last one to be written.
  await waitFor(() => expect(existsSync(join(folder, "environments.csv"))).toBe(true));
  await test.ask("GET", "/api/v1/me");
});

const declare = (name: string, labels: Record<string, string>) =>
  test.ask("POST", "/api/v1/clusters", { body: describeCluster(name, labels) });
const readSnapshot = () => JSON.parse(readFileSync(file, "utf8")) as { time: string; clusters: readonly unknown[] };

/** From now on nothing gets an answer from the store. */
function cutOff(): () => void {
  const { read, access, desired, settings } = test.store;
  const fail = async () => {
    throw new DroverError("store-unreachable", "The database cannot be reached.");
  };
  const parts = [read, access, desired, settings].map((part) => part as unknown as Record<string, unknown>);
  const before = parts.map((part) => ({ ...part }));
  for (const part of parts) for (const name of Object.keys(part)) part[name] = fail;
  return () => {
    for (const [index, part] of parts.entries()) Object.assign(part, before[index]);
  };
}

const SAMPLES = [
  "/api/v1/clusters?limit=2",
  "/api/v1/clusters?selector=env%3Dprod",
  "/api/v1/clusters?sort=created&descending=true&search=A",
  "/api/v1/clusters?phase=Running",
  "/api/v1/clusters?search=1%20a",
  "/api/v1/clusters?word=b:Paused&word=simulated:simulated",
  "/api/v1/clusters/a1",
  "/api/v1/cluster-counts?provider=simulated&modifier=Paused",
  "/api/v1/cluster-counts?onlyReady=false",
];

describe("while the store cannot be reached", () => {
  it("reads are answered as before, and say of when they are", async () => {
    const before = await Promise.all(SAMPLES.map((url) => test.ask("GET", url)));
    cutOff();
    for (const [index, url] of SAMPLES.entries()) {
      const answer = await test.ask("GET", url);
      expect([url, answer.status, answer.json]).toEqual([url, 200, before[index]?.json]);
      expect(answer.headers).toMatchObject({
        "x-drover-snapshot": readSnapshot().time,
        etag: before[index]?.headers.etag,
        age: expect.any(String),
        warning: expect.any(String),
      });
      expect(before[index]?.headers["x-drover-snapshot"]).toBeUndefined();
    }
  });

  it("the export of environments is as before, lies beside the snapshot, and shows nobody more than they may see", async () => {
    const scoped = await test.makeToken("viewer", ["env=dev"]);
    const ask = async (as?: `drv_${string}`) =>
      await test.ask("GET", "/api/v1/export/environments", as === undefined ? {} : { as });
    const before = [await ask(), await ask(scoped)];
    cutOff();
    const after = [await ask(), await ask(scoped)];
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    expect(after[1]?.text).toContain("a1,simulated");
    expect(after[1]?.text).not.toContain("a2,simulated");
    expect(after[0]?.headers["x-drover-snapshot"]).toBe(readSnapshot().time);
    expect(readFileSync(join(dirname(file), "environments.csv"), "utf8")).toBe(before[0]?.text);
  });

  it("pages go on where the store has left off, and the other way round", async () => {
    const first = await test.ask("GET", "/api/v1/clusters?limit=1");
    const mend = cutOff();
    const second = await test.ask("GET", `/api/v1/clusters?limit=1&after=${asText(first.json.next)}`);
    mend();
    const third = await test.ask("GET", `/api/v1/clusters?limit=1&after=${asText(second.json.next)}`);
    const names = [first, second, third].map(({ json }) => json.items?.[0 as never]);
    expect(names).toMatchObject([
      { metadata: { name: "a1" } },
      { metadata: { name: "a2" } },
      { metadata: { name: "a3" } },
    ]);
    expect(third.json.next).toBeNull();
    cutOff();
    expect((await test.ask("GET", "/api/v1/clusters?after=forged")).json.code).toBe("page-cursor-invalid");
  });

  it("everybody sees what they might see before, and nobody else anything", async () => {
    const scoped = await test.makeToken("viewer", ["env=dev"]);
    const unseen = await test.makeToken("viewer", [], "unseen");
    const revoked = await test.makeToken("viewer", [], "revoked");
    await test.ask("GET", "/api/v1/clusters", { as: scoped });
    await test.ask("GET", "/api/v1/clusters", { as: revoked });
    const [token] = (await test.store.access.listTokens()).filter(({ name }) => name === "revoked");
    await test.store.access.revokeToken({ type: "system", name: "test" }, token?.id ?? "");
    expect((await test.ask("GET", "/api/v1/clusters", { as: revoked })).status).toBe(401);
    cutOff();
    const list = await test.ask("GET", "/api/v1/clusters", { as: scoped });
    expect([list.status, list.text.includes(`"name":"a1"`), list.text.includes(`"name":"a2"`)]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await test.ask("GET", "/api/v1/clusters/a2", { as: scoped })).json.code).toBe("cluster-not-found");
    expect((await test.ask("GET", "/api/v1/cluster-counts", { as: scoped })).json.total).toBe(2);
    for (const as of [unseen, revoked]) {
      const answer = await test.ask("GET", "/api/v1/clusters", { as });
      expect([answer.status, answer.json.code]).toEqual([503, "store-unreachable"]);
    }
    expect((await test.ask("GET", "/api/v1/clusters", { as: null })).status).toBe(401);
  });

  it("nobody is remembered for hours", async () => {
    cutOff();
    expect((await test.ask("GET", "/api/v1/clusters")).status).toBe(200);
    hoursLater = 1;
    expect((await test.ask("GET", "/api/v1/clusters")).status).toBe(503);
  });

  it("everything else is refused with the time to try again", async () => {
    cutOff();
    const refused = [
      await declare("late", { env: "dev" }),
      await test.ask("DELETE", "/api/v1/clusters/a1"),
      await test.ask("GET", "/api/v1/jobs"),
      await test.ask("GET", "/api/v1/clusters/a1/revisions"),
    ];
    for (const { status, json, headers } of refused) {
      expect([status, json.code, headers["retry-after"]]).toEqual([503, "store-unreachable", "2"]);
    }
  });

  it("the store answers again as soon as it can", async () => {
    const mend = cutOff();
    expect((await test.ask("GET", "/api/v1/clusters/a1")).headers["x-drover-snapshot"]).toBeDefined();
    mend();
    await declare("a4", {});
    const answer = await test.ask("GET", "/api/v1/clusters/a4");
    expect([answer.status, answer.headers["x-drover-snapshot"]]).toEqual([200, undefined]);
  });
});
