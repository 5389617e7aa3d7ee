import { expect, it } from "vitest";
import { SseParser } from "./parse-sse.ts";

const TEXT = 'retry: 1000\nid: 7\n\n: still here\nid: 8\n\nid: 9\ndata: {"a":1}\n\nevent: reset\ndata: {}\n\n';
const BLOCKS = [
  { id: "7", event: "message", data: undefined },
  { id: "8", event: "message", data: undefined },
  { id: "9", event: "message", data: '{"a":1}' },
  { id: undefined, event: "reset", data: "{}" },
];

it("finds the same blocks however the text is cut", () => {
  for (let size = 1; size <= TEXT.length; size += 1) {
    const parser = new SseParser();
    const pieces = TEXT.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    expect(pieces.flatMap((piece) => parser.take(piece))).toEqual(BLOCKS);
  }
});

it("keeps what is not complete", () => {
  const parser = new SseParser();
  expect(parser.take("id: 1\ndata: x")).toEqual([]);
  expect(parser.take("\n\n")).toEqual([{ id: "1", event: "message", data: "x" }]);
});
