import { isCidr, networksOverlap, parseCidr } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocateName, allocatePorts, allocateSubnet } from "./allocate.ts";

function overlap(left: string, right: string): boolean {
  const [a, b] = [parseCidr(left), parseCidr(right)];
  if (a === undefined || b === undefined) throw new Error(`${left} ${right}`);
  return networksOverlap(a, b);
}

describe("allocatePorts", () => {
  it("takes the lowest free ones", () => {
    const taken = new Set([30_000, 30_002]);
    expect(allocatePorts(2, { from: 30_000, to: 30_010 }, taken)).toEqual({ ok: true, value: [30_001, 30_003] });
    expect(allocatePorts(0, { from: 1, to: 0 }, taken)).toEqual({ ok: true, value: [] });
  });

  it("gives out free ports within the range, or says that they are used up", () => {
    const ranges = fc.record({ from: fc.integer({ min: 1, max: 50 }), to: fc.integer({ min: 1, max: 80 }) });
    fc.assert(
      fc.property(fc.nat(20), ranges, fc.uniqueArray(fc.integer({ min: 1, max: 80 })), (count, range, list) => {
        const taken = new Set(list);
        const free =
          Math.max(0, range.to - range.from + 1) - list.filter((p) => p >= range.from && p <= range.to).length;
        const result = allocatePorts(count, range, taken);
        expect(result.ok).toBe(free >= count);
        const ports = result.ok ? result.value : [];
        const fitting = ports.filter((port) => port >= range.from && port <= range.to && !taken.has(port));
        expect(new Set(fitting).size).toBe(result.ok ? count : 0);
        expect(result.ok ? "" : result.message).toContain(result.ok ? "" : `Only ${free} of ${count} ports`);
      }),
    );
  });
});

describe("allocateSubnet", () => {
  it.each<[string, number, string[], string]>([
    ["172.16.0.0/12", 16, [], "172.16.0.0/16"],
    ["172.16.0.0/12", 16, ["172.16.0.0/16", "172.17.3.0/24"], "172.18.0.0/16"],
    ["172.16.0.0/12", 24, ["172.16.0.0/15"], "172.18.0.0/24"],
    ["10.0.0.0/8", 30, ["10.0.0.0/9"], "10.128.0.0/30"],
    ["10.0.0.0/8", 16, ["8.0.0.0/5"], "No /16 is free"],
    ["10.0.0.0/16", 8, [], "No /8 is free"],
    ["10.0.0.0/16", 16, ["fd00::/8"], "10.0.0.0/16"],
    ["fd00:10::/32", 64, ["fd00:10::/64", "10.0.0.0/8"], "fd00:10:0:1::/64"],
    ["fd00::/8", 128, ["fd00::/9"], "fd80::/128"],
    ["::/0", 1, ["::/1"], "8000::/1"],
    ["0.0.0.0/0", 0, [], "0.0.0.0/0"],
    ["10.0.0.0", 16, [], "is no network"],
    ["10.0.0.0/8", 33, [], "is no size"],
    ["10.0.0.0/8", 16, ["nonsense"], "cannot be read"],
  ])("finds a place in %s for a /%i beside %j", (pool, prefix, taken, expected) => {
    const result = allocateSubnet(pool, prefix, taken);
    expect(result.ok ? result.value : result.message).toContain(expected);
  });

  const addresses = { 4: fc.ipV4(), 6: fc.ipV6() };
  const cidrs = (family: 4 | 6): fc.Arbitrary<string> =>
    fc
      .tuple(addresses[family], fc.integer({ min: 0, max: family === 4 ? 32 : 128 }))
      .map(([address, prefix]) => `${address}/${prefix}`)
      .filter((text) => parseCidr(text) !== undefined);

  it.each([4, 6] as const)("never overlaps what is taken and stays in the pool, IPv%i", (family) => {
    const extra = fc.integer({ min: 0, max: 12 });
    fc.assert(
      fc.property(cidrs(family), extra, fc.array(cidrs(family), { maxLength: 20 }), (pool, more, taken) => {
        const prefix = Math.min(family === 4 ? 32 : 128, Number(pool.split("/")[1]) + more);
        const result = allocateSubnet(pool, prefix, taken);
        if (!result.ok) return;
        expect(isCidr(result.value)).toBe(true);
        expect(result.value.endsWith(`/${prefix}`)).toBe(true);
        expect(overlap(result.value, pool)).toBe(true);
        for (const other of taken) expect(overlap(result.value, other)).toBe(false);
        expect(allocateSubnet(pool, prefix, taken)).toEqual(result);
      }),
    );
  });

  it("fills a pool to the last network, then refuses", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), (more) => {
        const taken: string[] = [];
        for (let result = allocateSubnet("10.0.0.0/24", 24 + more, taken); result.ok; ) {
          taken.push(result.value);
          result = allocateSubnet("10.0.0.0/24", 24 + more, taken);
        }
        expect(new Set(taken).size).toBe(2 ** more);
      }),
    );
  });
});

describe("allocateName", () => {
  it("numbers what is taken and shortens what is too long", () => {
    const rules = { maxLength: 10 };
    const taken = new Set(["dev", "dev-2", "averylongn", "a-b-c-d-e"]);
    expect(allocateName("prod", rules, taken)).toEqual({ ok: true, value: "prod" });
    expect(allocateName("dev", rules, taken)).toEqual({ ok: true, value: "dev-3" });
    expect(allocateName("averylongname", rules, taken)).toEqual({ ok: true, value: "averylon-2" });
    expect(allocateName("a-b-c-d-e-f", rules, taken)).toEqual({ ok: true, value: "a-b-c-d-2" });
  });

  it("gives a free name of at most the given length, or a clear refusal", () => {
    const names = fc.stringMatching(/^[a-c]{1,3}(-[2-4])?$/u);
    fc.assert(
      fc.property(names, fc.uniqueArray(names), fc.integer({ min: 1, max: 5 }), (wanted, list, maxLength) => {
        const taken = new Set(list);
        const result = allocateName(wanted, { maxLength, maxNumber: 4 }, taken);
        fc.pre(result.ok);
        expect(taken.has(result.value)).toBe(false);
        expect(result.value.length).toBeLessThanOrEqual(maxLength);
        expect(result.value).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/u);
      }),
    );
  });

  it("refuses when every number is used up", () => {
    const taken = new Set(["x", "x-2", "x-3"]);
    expect(allocateName("x", { maxLength: 9, maxNumber: 3 }, taken)).toMatchObject({ ok: false });
  });
});
