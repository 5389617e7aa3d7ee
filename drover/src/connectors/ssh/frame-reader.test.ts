import fc from "fast-check";
import { expect, it } from "vitest";
import { type FrameEnd, FrameReader } from "./frame-reader.ts";

const outputs = fc.array(
  fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom("", "\n", "\n\n", "\nMARK", "\nMAR", "MARK 1\n", "\nMARKS 1\n"),
  ),
  { maxLength: 6 },
);

it("gives back what stood before each mark, however the stream is cut", () => {
  fc.assert(
    fc.property(outputs, fc.integer({ min: 1, max: 9 }), (texts, size) => {
      const frames: FrameEnd[] = [];
      const reader = new FrameReader("MARK", 1_000, (frame) => frames.push(frame));
      const bytes = Buffer.from(texts.map((text, at) => `${text}\nMARK ${at} 0\n`).join(""));
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
      expect(frames.map(({ text }) => text)).toEqual(texts);
      expect(frames.map(({ words }) => words)).toEqual(texts.map((_, at) => [String(at), "0"]));
    }),
  );
});
