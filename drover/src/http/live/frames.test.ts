import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutFrames, type Placed, type View } from "./frame.ts";
import { RecentFrames } from "./recent-frames.ts";
import { frameText, PING_FRAME } from "./websocket-frame.ts";

const sizes = fc.array(fc.record({ gap: fc.nat(3), size: fc.integer({ min: 1, max: 100 }) }));
const place = ({ gaps, after }: { gaps: readonly { gap: number; size: number }[]; after: number }): Placed[] => {
  let last = after;
  return gaps.map(({ gap, size }) => {
    last += 1 + gap;
    return { place: last, size };
  });
};

describe("frames", () => {
  it("lie end to end, hold everything once, and are not much larger than they may be", () => {
    fc.assert(
      fc.property(sizes, fc.nat(50), fc.nat(5), (gaps, after, more) => {
        const items = place({ gaps, after });
        const upTo = (items.at(-1)?.place ?? after) + more;
        const frames = cutFrames(after, upTo, items, 150);
        expect(frames.flatMap((frame) => frame.items)).toEqual(items);
        expect([after, ...frames.map((frame) => frame.upTo)].slice(0, -1)).toEqual(frames.map((frame) => frame.after));
        expect(frames.at(-1)?.upTo ?? after).toBe(upTo);
        for (const frame of frames) expect(frame.size).toBeLessThan(250);
        for (const { items: some, after: from, upTo: to } of frames) {
          expect(some.every((item) => item.place > from && item.place <= to)).toBe(true);
        }
      }),
    );
  });

  it("are written down once for each way to see them, and anew for who has seen a part", () => {
    let encoded = 0;
    const view = (key: string): View<Placed> => ({
      key,
      encode: (items) => {
        encoded += 1;
        return Buffer.from(items.map((item) => item.place).join());
      },
    });
    const [frame] = cutFrames(0, 3, place({ gaps: Array(3).fill({ gap: 0, size: 1 }), after: 0 }), 1_000);
    const bytes = frame?.bytesAfter(0, view("a"));
    expect(frame?.bytesAfter(0, view("a"))).toBe(bytes);
    expect(encoded).toBe(1);
    expect(frame?.bytesAfter(0, view("b"))).not.toBe(bytes);
    expect([1, 2, 3, 9].map((from) => frame?.bytesAfter(from, view("a"))?.toString())).toEqual([
      "2,3",
      "3",
      undefined,
      undefined,
    ]);
  });
});

it("the newest frames are found by place as long as they are kept, and only so many are", () => {
  fc.assert(
    fc.property(sizes, fc.nat(300), (gaps, from) => {
      const recent = new RecentFrames<Placed>(500);
      const items = place({ gaps, after: 0 });
      const frames = cutFrames(0, items.at(-1)?.place ?? 0, items, 50);
      for (const frame of frames) recent.add(frame);
      const kept = frames.filter((frame) => frame.after >= (recent.start ?? 0));
      expect(kept.slice(1).reduce((sum, frame) => sum + frame.size, 0)).toBeLessThanOrEqual(500);
      const found = recent.find(from);
      expect(found).toBe(kept.find((frame) => frame.after <= from && from < frame.upTo));
    }),
  );
});

/** As RFC 6455 has it, for one unmasked frame. */
function readFrame(frame: Buffer): { opcode: number; isFinal: boolean; isMasked: boolean; payload: Buffer } {
  const [first = 0, second = 0] = frame;
  const short = second & 0x7f;
  const header = short === 126 ? 4 : short === 127 ? 10 : 2;
  const length = short === 126 ? frame.readUInt16BE(2) : short === 127 ? Number(frame.readBigUInt64BE(2)) : short;
  expect(frame.length).toBe(header + length);
  return { opcode: first & 0x7f, isFinal: first >= 0x80, isMasked: second >= 0x80, payload: frame.subarray(header) };
}

describe("a WebSocket frame", () => {
  it.each([0, 1, 125, 126, 127, 65_535, 65_536, 70_000])("holds a text of %i bytes", (length) => {
    const { opcode, isFinal, isMasked, payload } = readFrame(frameText("x".repeat(length)));
    expect([opcode, isFinal, isMasked, payload.toString()]).toEqual([1, true, false, "x".repeat(length)]);
  });

  it("holds any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(readFrame(frameText(text)).payload.toString()).toBe(text);
      }),
    );
  });

  it("can be a ping", () => {
    expect(readFrame(PING_FRAME)).toMatchObject({ opcode: 9, isFinal: true, isMasked: false });
  });
});
