import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LogRows } from "./log-rows.ts";

class SilentSocket {
  close(): void {}
}

beforeEach(() => {
  vi.stubGlobal("WebSocket", SilentSocket);
  vi.stubGlobal("location", new URL("http://127.0.0.1/"));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A stored log of so many lines, and what of it was asked for. */
function openLog(total: number) {
  const asked: [from: number, limit: number][] = [];
  const rows = new LogRows("j", {}, async ({ query: { from, limit } }) => {
    asked.push([from, limit]);
    const count = Math.max(0, Math.min(limit, total - from + 1));
    const lines = Array.from({ length: count }, (_, index) => ({
      ...{
        line: from + index,
        time: "",
        step: "s",
        host: "h",
        stream: "stdout" as const,
        text: `line ${from + index}`,
      },
    }));
    return { lines, last: from + count - 1, total };
  });
  return { rows, asked };
}

it("begins at the end of a long log without reading what is before it", async () => {
  const { rows, asked } = openLog(1_000_000);
  await rows.start("last");
  expect(rows.snapshot()).toMatchObject({ count: 1_000_000, isLoading: false, error: null });
  expect(rows.row(999_999)?.text).toBe("line 1000000");
  expect(rows.row(0)).toBeUndefined();
  expect(asked).toEqual([
    [1, 1],
    [999_751, 250],
  ]);
  rows.stop();
});

it("begins at the line that the address points to", async () => {
  const { rows, asked } = openLog(10_000);
  await rows.start(5_100);
  expect(rows.row(5_099)?.text).toBe("line 5100");
  expect(asked).toHaveLength(1);
  rows.stop();
});

it("begins with the first line of an empty log, and of one that is read from its beginning", async () => {
  const empty = openLog(0);
  await empty.rows.start("last");
  expect(empty.rows.snapshot()).toMatchObject({ count: 0, isLoading: false });
  const short = openLog(3);
  await short.rows.start("first");
  expect(short.rows.row(0)?.text).toBe("line 1");
  empty.rows.stop();
  short.rows.stop();
});
