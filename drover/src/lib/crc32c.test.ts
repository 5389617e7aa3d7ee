import { expect, it } from "vitest";
import { Crc32c } from "./crc32c.ts";

/** Examples of RFC 3720, appendix B.4. */
it("sums up as others do, in one piece or several", () => {
  const sum = (...pieces: readonly Uint8Array[]) => {
    const crc = new Crc32c();
    for (const piece of pieces) crc.add(piece);
    return crc.value;
  };
  expect(sum(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(sum(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  const digits = Buffer.from("123456789");
  expect(sum(digits)).toBe(0xe3069283);
  expect(sum(digits.subarray(0, 4), digits.subarray(4))).toBe(0xe3069283);
});
