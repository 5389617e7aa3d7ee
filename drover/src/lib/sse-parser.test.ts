import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SseEvent, SseParser } from "./sse-parser.ts";

function parseAll(text: string | Uint8Array, cuts: readonly number[] = []): readonly SseEvent[] {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const parser = new SseParser();
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return places.slice(1).flatMap((end, index) => parser.push(bytes.subarray(places[index], end)));
}

const message = (data: string, more: Partial<SseEvent> = {}) => ({
  event: "message",
  data,
  lastEventId: null,
  ...more,
});

describe("a stream of events", () => {
  it.each([
    ["one line", "data: a\n\n", [message("a")]],
    ["several lines", "data: a\ndata:\ndata: b\n\n", [message("a\n\nb")]],
    ["only one space off", "data:  a\n\ndata:b\n\n", [message(" a"), message("b")]],
    [
      "an id that stays",
      "id: 7\ndata: a\n\ndata: b\n\n",
      ["a", "b"].map((data) => message(data, { lastEventId: "7" })),
    ],
    [
      "an id with NUL ignored",
      "id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n",
      [message("a", { lastEventId: "7" }), message("b", { lastEventId: "7" })],
    ],
    ["a name for one event only", "event: end\ndata: a\n\ndata: b\n\n", [message("a", { event: "end" }), message("b")]],
    ["comments and unknown fields ignored", ": still here\n:\nfoo: bar\ndata: a\n\n", [message("a")]],
    ["nothing without data", "event: end\nid: 3\n\n", []],
    ["an empty event where data is empty", "data\n\n", [message("")]],
    ["nothing of what is not finished", "data: a\n\ndata: b\n", [message("a")]],
    ["a byte order mark", "\ufeffdata: a\n\n", [message("a")]],
  ])("gives %s", (_, text, expected) => {
    expect(parseAll(text)).toEqual(expected);
  });

  it("moves its place also without an event, but only at the end of a block", () => {
    const parser = new SseParser("5");
    expect(parser.lastEventId).toBe("5");
    parser.push(Buffer.from("id: 9\n: still here\n"));
    expect(parser.lastEventId).toBe("5");
    parser.push(Buffer.from("\n"));
    expect(parser.lastEventId).toBe("9");
  });

  it("tells how long to wait, if the server says a number", () => {
    const parser = new SseParser();
    parser.push(Buffer.from("retry: soon\n\n"));
    expect(parser.retryMs).toBeNull();
    parser.push(Buffer.from("retry: 1500\n\n"));
    expect(parser.retryMs).toBe(1500);
  });

  it("does not collect without end", () => {
    const parser = new SseParser(null, 100);
    expect(() => parser.push(Buffer.from(`data: ${"x".repeat(120)}`))).toThrow("longer than 100");
    const lines = new SseParser(null, 100);
    expect(() => lines.push(Buffer.from("data: 0123456789\n".repeat(20)))).toThrow("longer than 100");
  });

  it("is read alike wherever it is cut, with any line ends", () => {
    const value = fc.string({ unit: "binary" }).map((text) => text.replaceAll(/[\r\n\0\ud800-\udfff\ufeff]/gu, "集🚜"));
    const block = fc.record({
      id: fc.option(fc.nat()),
      event: fc.option(value),
      data: fc.array(value, { minLength: 1 }),
    });
    fc.assert(
      fc.property(
        fc.array(block),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.array(fc.nat(), { maxLength: 30 }),
        (blocks, end, cuts) => {
          let lastEventId: string | null = null;
          const expected = blocks.map(({ id, event, data }) => {
            lastEventId = id === null ? lastEventId : String(id);
            return { event: event === null || event === "" ? "message" : event, data: data.join("\n"), lastEventId };
          });
          const text = blocks
            .map(({ id, event, data }) =>
              [
                ...(id === null ? [] : [`id: ${id}`]),
                ...(event === null ? [] : [`event: ${event}`]),
                ...data.map((line) => `data: ${line}`),
                "",
                "",
              ].join(end),
            )
            .join("");
          expect(parseAll(text, cuts)).toEqual(expected);
        },
      ),
    );
  });
});
