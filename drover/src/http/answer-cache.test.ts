import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openTestServer } from "../../test/http.ts";
import { describeCluster } from "../../test/matrix/row.ts";
import { waitFor } from "../../test/wait-for.ts";
import { AnswerCache } from "./answer-cache.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeEach(async () => {
  test = await openTestServer();
  onTestFinished(test.dispose);
  await test.ask("POST", "/api/v1/clusters", { body: describeCluster("one") });
  // The use of a token is noted behind the request's back, which is a change as well.
  await test.ask("GET", "/api/v1/clusters");
  await waitFor(async () => {
    const used = (await test.store.access.listTokens()).filter(({ lastUsedAt }) => lastUsedAt !== null);
    expect(used.map(({ name }) => name)).toEqual(["admin"]);
  });
});

const namesOf = async (as?: `drv_${string}`) => {
  const { json } = await test.ask("GET", "/api/v1/clusters", as === undefined ? {} : { as });
  return (json.items as unknown as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
};

describe("a list that many look at", () => {
  it("is read once while nothing happens, and anew as soon as something has", async () => {
    await namesOf();
    const list = vi.spyOn(test.store.read, "listClusters");
    const find = vi.spyOn(test.store.access, "findToken");
    const [first, second] = [await test.ask("GET", "/api/v1/clusters"), await test.ask("GET", "/api/v1/clusters")];
    expect(second).toMatchObject({ status: 200, text: first.text, headers: { etag: first.headers.etag } });
    const known = { headers: { "if-none-match": String(first.headers.etag) } };
    expect((await test.ask("GET", "/api/v1/clusters", known)).status).toBe(304);
    expect([list.mock.calls.length, find.mock.calls.length]).toEqual([0, 0]);
    await test.ask("POST", "/api/v1/clusters", { body: describeCluster("two") });
    expect(await namesOf()).toEqual(["one", "two"]);
    expect((await test.ask("GET", "/api/v1/clusters", known)).status).toBe(200);
  });

  it("is another one for who may see less, and nothing for who was revoked in this moment", async () => {
    const scoped = await test.makeToken("viewer", ["env=prod"]);
    expect(await namesOf()).toEqual(["one"]);
    expect(await namesOf(scoped)).toEqual([]);
    expect(await namesOf()).toEqual(["one"]);
    const token = (await test.store.access.listTokens()).find(({ scopes }) => scopes.length > 0);
    await test.store.access.revokeToken({ type: "system", name: "test" }, token?.id ?? "");
    expect((await test.ask("GET", "/api/v1/clusters", { as: scoped })).status).toBe(401);
  });
});

describe("kept answers", () => {
  it("are forgotten, those that were asked for longest ago first, before they take too much", () => {
    const cache = new AnswerCache();
    const answer = { stamp: "s", body: Buffer.alloc(6_000_000), etag: "e" };
    cache.keep("a", answer);
    cache.keep("b", answer);
    expect(cache.find("a", "s")).toBe(answer);
    cache.keep("c", answer);
    expect([cache.find("a", "s"), cache.find("b", "s"), cache.find("c", "s")]).toEqual([answer, null, answer]);
    expect(cache.find("a", "t")).toBeNull();
  });
});
