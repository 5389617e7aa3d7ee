import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFuzzWorld } from "../../test/fuzz/make-world.ts";
import { runFuzz } from "../../test/fuzz/run-fuzz.ts";
import { openTestServer } from "../../test/http.ts";

/** e2e/api sends ten times as many, to a Drover in a process of its own. */
const REQUESTS = 2_000;

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
  await test.server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => test.dispose());

/** Whatever is changed leaves an entry in one of the two. That somebody was not let in is noted as well. */
const lastTraces = async () => {
  const [entry] = (await test.store.read.listAudit({ limit: 50 })).filter(({ action }) => action !== "session.refuse");
  return { audit: entry?.seq ?? 0, events: await test.store.read.lastEventCursor() };
};

describe("any request at all", () => {
  it("gets an answer that the contract announces, never a 5xx, and changes nothing when it is refused", async () => {
    const world = await makeFuzzWorld({
      ask: async (method, url, body) => (await test.ask(method, url, body === undefined ? {} : { body })).json as never,
    });
    await test.settle();
    const { port } = test.server.server.address() as AddressInfo;
    let before = await lastTraces();
    const statuses = await runFuzz({
      ...{ port, world, requests: REQUESTS, seed: 5 },
      afterEach: async ({ method, url }, { status }) => {
        const after = await lastTraces();
        // Where all that is left are refused sign-ins, the entry before them is out of sight.
        const seen = after.audit === 0 ? { ...after, audit: before.audit } : after;
        if (status >= 400) expect(seen, `${method} ${url} was refused with ${status}`).toEqual(before);
        before = seen;
      },
    });
    // Not all bounce off the first door.
    for (const status of [200, 201, 202, 400, 401, 403, 404, 409, 422])
      expect(statuses.get(status), `${status}`).toBeGreaterThan(0);
  }, 300_000);
});
