import { isDroverError } from "@drover/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { testAccess } from "../../test/access.ts";
import { openTestServer } from "../../test/http.ts";
import { RateLimit } from "./rate-limit.ts";

const clockAt = (time: { now: number }) => ({ now: () => time.now, monotonic: () => time.now });

function takeAll(limit: RateLimit, key: string): { readonly taken: number; readonly retryAfter: unknown } {
  for (let taken = 0; ; taken++) {
    try {
      limit.take(key);
    } catch (error) {
      if (!isDroverError(error, "rate-limited")) throw error;
      return { taken, retryAfter: error.details["retryAfterSeconds"] };
    }
  }
}

describe("a rate limit", () => {
  it("lets through a burst, then as many as time allows, for each key on its own", () => {
    const time = { now: 0 };
    const limit = new RateLimit(2, clockAt(time));
    expect(takeAll(limit, "a")).toEqual({ taken: 20, retryAfter: 1 });
    time.now += 1_500;
    expect(takeAll(limit, "a").taken).toBe(3);
    expect(takeAll(limit, "b").taken).toBe(20);
    time.now += 3_600_000;
    expect(takeAll(limit, "a").taken).toBe(20);
  });

  it("remembers no more keys than it has room for, and the busy ones longest", () => {
    const limit = new RateLimit(1, clockAt({ now: 0 }));
    takeAll(limit, "busy");
    for (let index = 0; index < 30_000; index++) {
      limit.take(`key ${index}`);
      if (index % 1_000 === 0) expect(takeAll(limit, "busy").taken).toBe(0);
    }
    expect(limit.size).toBe(20_000);
  });

  it("of zero is none", () => {
    const limit = new RateLimit(0, clockAt({ now: 0 }));
    for (let index = 0; index < 10_000; index++) limit.take("a");
    expect(limit.size).toBe(0);
  });
});

describe("the API", () => {
  it("answers 429 with Retry-After to whoever asks too often, and goes on answering the others", async () => {
    const time = { now: 0 };
    const clock = { now: () => Date.now(), monotonic: () => time.now };
    const access = testAccess({ rateLimits: { perCaller: 2, perAddress: 1 }, clock });
    const { ask, dispose } = await openTestServer({ access });
    onTestFinished(dispose);
    const statuses = async (count: number, as: "viewer" | "admin" | null, url = "/api/v1/me") => {
      const seen: Record<number, number> = {};
      for (let index = 0; index < count; index++) {
        const { status } = await ask("GET", url, { as });
        seen[status] = (seen[status] ?? 0) + 1;
      }
      return seen;
    };
    expect(await statuses(25, "viewer")).toEqual({ 200: 20, 429: 5 });
    const refused = await ask("GET", "/api/v1/me", { as: "viewer" });
    expect(refused.json).toMatchObject({ code: "rate-limited", retryable: true });
    expect(refused.headers["retry-after"]).toBe("1");
    expect(await statuses(5, "admin")).toEqual({ 200: 5 });
    expect(await statuses(6, null)).toEqual({ 401: 6 });
    expect(await statuses(8, null, "/api/v1/version")).toEqual({ 200: 4, 429: 4 });
    expect((await ask("GET", "/api/v1/me", { as: "drv_wrong" })).status).toBe(429);
    expect(await statuses(5, "admin")).toEqual({ 200: 5 });
    time.now += 1_000;
    expect(await statuses(3, "viewer")).toEqual({ 200: 2, 429: 1 });
  });
});
