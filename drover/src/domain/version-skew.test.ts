import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubernetesVersion } from "./kubernetes-version.ts";
import { compareKubernetesVersions, formatKubernetesVersion, parseKubernetesVersion } from "./kubernetes-version.ts";
import { checkSkew, mayUseKubeadm, upgradePath } from "./version-skew.ts";

const parse = (text: string): KubernetesVersion => {
  const version = parseKubernetesVersion(text);
  if (version === null) throw new Error(text);
  return version;
};
const parts = (...texts: string[]) => texts.map((text, index) => ({ name: `n${index}`, version: parse(text) }));

describe("checkSkew", () => {
  it.each<[string, string[], string[], string | undefined, string[]]>([
    ["one version", ["v1.36.1"], ["v1.36.1"], "v1.36.0", []],
    ["a kubelet three minors behind", ["v1.36.1"], ["v1.33.0"], undefined, []],
    ["a kubelet four minors behind", ["v1.36.1"], ["v1.32.9"], undefined, ["n0"]],
    ["a kubelet of a newer patch", ["v1.36.1"], ["v1.36.4"], undefined, []],
    ["a kubelet of a newer minor", ["v1.35.4"], ["v1.36.0"], undefined, ["n0"]],
    ["a kubelet newer than the oldest API server", ["v1.35.4", "v1.36.0"], ["v1.36.0"], undefined, ["n0"]],
    ["API servers one apart", ["v1.35.4", "v1.36.0"], ["v1.35.4"], undefined, []],
    ["API servers two apart", ["v1.34.4", "v1.36.0", "v1.35.0"], ["v1.34.4"], undefined, ["n1"]],
    ["a kubectl one ahead and one behind", ["v1.35.4"], [], "v1.36.0", []],
    ["a kubectl two ahead of one API server", ["v1.35.4", "v1.34.0"], [], "v1.36.0", ["kubectl"]],
    ["another major", ["v2.0.0"], ["v1.36.0"], undefined, ["n0"]],
    ["nothing known", [], ["v1.36.0"], "v1.0.0", []],
  ])("judges %s", (_, apiServers, kubelets, kubectl, expected) => {
    const problems = checkSkew({
      apiServers: parts(...apiServers),
      kubelets: parts(...kubelets),
      ...(kubectl === undefined ? {} : { kubectl: parse(kubectl) }),
    });
    expect(problems.map(({ part }) => part)).toEqual(expected);
    for (const { part, message } of problems) expect(message).toContain(part);
  });
});

describe("mayUseKubeadm", () => {
  it("wants the target's minor or one newer", () => {
    const fits = (kubeadm: string) => mayUseKubeadm(parse(kubeadm), parse("v1.36.1"));
    expect(["v1.35.9", "v1.36.0", "v1.36.4", "v1.37.0", "v1.38.0"].map(fits)).toEqual([false, true, true, true, false]);
  });
});

describe("upgradePath", () => {
  const path = (from: string, to: string, available?: string[]): string => {
    const result = upgradePath(parse(from), parse(to), available?.map(parse));
    return result.ok ? result.path.map(formatKubernetesVersion).join(" ") : result.reason;
  };

  it.each<[string, string, string[] | undefined, string]>([
    ["v1.36.1", "v1.36.1", undefined, ""],
    ["v1.36.1", "v1.36.2", undefined, "v1.36.2"],
    ["v1.35.9", "v1.36.2", undefined, "v1.36.2"],
    ["v1.33.5", "v1.36.2", undefined, "v1.34.0 v1.35.0 v1.36.2"],
    ["v1.33.5", "v1.35.2", ["v1.34.1", "v1.34.9", "v1.34.10-rc.1", "v1.35.2"], "v1.34.9 v1.35.2"],
    ["v1.33.5", "v1.35.2", ["v1.35.2"], "not-available"],
    ["v1.33.5", "v1.34.2", ["v1.34.1"], "not-available"],
    ["v1.33.5+k3s1", "v1.35.2+k3s1", ["v1.34.9", "v1.34.2+k3s2", "v1.35.2+k3s1"], "v1.34.2+k3s2 v1.35.2+k3s1"],
    ["v1.35.2+k3s1", "v1.35.2+k3s2", undefined, "v1.35.2+k3s2"],
    ["v1.35.2+k3s2", "v1.35.2+k3s1", undefined, "downgrade"],
    ["v1.36.2", "v1.36.1", undefined, "downgrade"],
    ["v1.36.0", "v1.36.0-rc.1", undefined, "downgrade"],
    ["v1.36.2", "v1.35.9", undefined, "downgrade"],
    ["v1.36.2", "v2.0.0", undefined, "other-major"],
    ["v1.36.2", "v1.37.0+k3s1", undefined, "other-distribution"],
  ])("from %s to %s with %j", (from, to, available, expected) => {
    expect(path(from, to, available)).toBe(expected);
  });

  it("says what it refuses", () => {
    const result = upgradePath(parse("v1.33.5"), parse("v1.36.2"), [parse("v1.34.1"), parse("v1.36.2")]);
    expect(result).toEqual({
      ok: false,
      reason: "not-available",
      message: "v1.33.5 cannot become v1.36.2: no release of v1.35 is available on the way.",
    });
  });

  it("goes up by at most one minor at a time, ends at the target, and can be walked by kubelets left behind", () => {
    const some = fc.record({
      major: fc.constant(1),
      minor: fc.integer({ min: 20, max: 40 }),
      patch: fc.nat(20),
      prerelease: fc.constant(null),
      build: fc.constant(null),
    });
    fc.assert(
      fc.property(some, some, (from, to) => {
        const result = upgradePath(from, to);
        expect(result.ok).toBe(compareKubernetesVersions(from, to) <= 0);
        if (!result.ok || result.path.length === 0) return;
        expect(result.path.at(-1)).toEqual(to);
        let previous: KubernetesVersion = from;
        for (const next of result.path) {
          expect(next.minor - previous.minor).toBeLessThanOrEqual(1);
          expect(compareKubernetesVersions(previous, next)).toBeLessThan(0);
          const kubelets = [{ name: "worker", version: previous }];
          expect(checkSkew({ apiServers: [{ name: "cp", version: next }], kubelets })).toEqual([]);
          previous = next;
        }
      }),
    );
  });
});
