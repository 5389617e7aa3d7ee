import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCidr, isIpAddress, maskCidr, networksOverlap, parseAddress, parseCidr } from "./addresses.ts";

const address = fc.oneof(fc.ipV4(), fc.ipV6()).filter((text) => !/^(0*:)*:?:?(0*:)*ffff:/i.test(text));
const cidr = address.chain((text) =>
  fc.integer({ min: 0, max: text.includes(":") ? 128 : 32 }).map((n) => `${text}/${n}`),
);

describe("isIpAddress", () => {
  it("accepts every address in any of its forms", () => {
    fc.assert(fc.property(address, (text) => isIpAddress(text)));
  });

  it.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3.4 ",
    "1::2::3",
    ":::",
    "1:2:3:4:5:6:7",
    "::g",
    "fe80::1%eth0",
    "::ffff:1.2.3.4",
    "1.2.3.4::",
    "::1.2.3",
    `${"1:".repeat(30)}1`,
  ])("refuses %j", (text) => {
    expect(isIpAddress(text)).toBe(false);
  });

  it("reads different forms of one address as the same", () => {
    const one = parseAddress("2001:db8::1");
    for (const form of ["2001:DB8:0:0:0:0:0:1", "2001:0db8::0001", "2001:db8::0.0.0.1"]) {
      expect(parseAddress(form)).toEqual(one);
    }
  });
});

describe("networks", () => {
  it("are accepted once their host bits are gone, and then unchanged", () => {
    fc.assert(
      fc.property(cidr, (text) => {
        const masked = maskCidr(text);
        expect(masked).toBeDefined();
        expect(isCidr(masked ?? "")).toBe(true);
        expect(maskCidr(masked ?? "")).toBe(masked);
        expect(parseCidr(masked ?? "")).toEqual(parseCidr(text));
      }),
    );
  });

  it("overlap exactly when one holds the first address of the other", () => {
    const small = fc
      .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 28, max: 32 }))
      .map(([last, length]) => `10.0.0.${last}/${length}`);
    fc.assert(
      fc.property(small, small, (a, b) => {
        const [x, y] = [parseCidr(a), parseCidr(b)];
        if (x === undefined || y === undefined) throw new Error("no network");
        const shares = Array.from({ length: 16 }, (_, n) => (10n << 24n) + BigInt(n)).some(
          (n) => x.first <= n && n <= x.last && y.first <= n && n <= y.last,
        );
        expect(networksOverlap(x, y)).toBe(shares);
        expect(networksOverlap(y, x)).toBe(shares);
      }),
    );
  });

  it.each(["10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "/8", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1"])(
    "refuse %j",
    (text) => {
      expect(parseCidr(text)).toBeUndefined();
      expect(isCidr(text)).toBe(false);
    },
  );

  it("of different IP versions never overlap", () => {
    const [a, b] = [parseCidr("0.0.0.0/0"), parseCidr("::/0")];
    expect(a !== undefined && b !== undefined && networksOverlap(a, b)).toBe(false);
  });
});
