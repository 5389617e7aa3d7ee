import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubernetesVersion } from "./kubernetes-version.ts";
import { compareKubernetesVersions, formatKubernetesVersion, parseKubernetesVersion } from "./kubernetes-version.ts";

const parse = (text: string): KubernetesVersion => {
  const version = parseKubernetesVersion(text);
  if (version === null) throw new Error(text);
  return version;
};

const versions: fc.Arbitrary<KubernetesVersion> = fc.record({
  major: fc.constant(1),
  minor: fc.integer({ min: 30, max: 33 }),
  patch: fc.nat(3),
  prerelease: fc.constantFrom(null, "alpha.1", "rc.1", "rc.2", "rc.10", "rc"),
  build: fc.constantFrom(null, "k3s1", "k3s2", "k3s10", "rke2r1"),
});

describe("parseKubernetesVersion", () => {
  it("reads what it writes", () => {
    fc.assert(
      fc.property(versions, (version) => {
        expect(parseKubernetesVersion(formatKubernetesVersion(version))).toEqual(version);
      }),
    );
  });

  it("does without the leading v", () => {
    expect(parseKubernetesVersion("1.36.1+k3s1")).toEqual(parse("v1.36.1+k3s1"));
  });

  it.each([
    "",
    "v1",
    "v1.36",
    "1.36.x",
    "v01.3.4",
    "v1.36.1 ",
    "v1.36.1-",
    "v1.36.1+",
    "latest",
    "v1.2.3.4",
    "v1e3.1.1",
  ])("refuses %j", (text) => {
    expect(parseKubernetesVersion(text)).toBeNull();
  });
});

describe("compareKubernetesVersions", () => {
  it("sorts as releases follow each other", () => {
    const sorted = [
      "v1.9.11",
      "v1.35.10",
      "v1.36.0-alpha.2",
      "v1.36.0-rc.2",
      "v1.36.0-rc.10",
      "v1.36.0",
      "v1.36.1",
      "v1.36.1+k3s1",
      "v1.36.1+k3s2",
      "v1.36.1+k3s10",
      "v1.36.2",
      "v2.0.0",
    ];
    const shuffled = [...sorted].reverse().map(parse).sort(compareKubernetesVersions);
    expect(shuffled.map(formatKubernetesVersion)).toEqual(sorted);
  });

  it("is a total order in which only equal versions are equal", () => {
    fc.assert(
      fc.property(versions, versions, versions, (a, b, c) => {
        expect(Math.sign(compareKubernetesVersions(a, b))).toBe(0 - Math.sign(compareKubernetesVersions(b, a)));
        expect(compareKubernetesVersions(a, b) === 0).toBe(formatKubernetesVersion(a) === formatKubernetesVersion(b));
        const sorted = [a, b, c].sort(compareKubernetesVersions) as [typeof a, typeof b, typeof c];
        expect(compareKubernetesVersions(sorted[0], sorted[2])).toBeLessThanOrEqual(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
