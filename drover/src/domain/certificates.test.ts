import { expect, it } from "vitest";
import { type CertificateSeen, daysLeft, describeEnding, readCertificates } from "./certificates.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const ending = (name: string, endTime: string): CertificateSeen => ({
  ...{ node: "cp-1", name, path: `/etc/kubernetes/pki/${name}.crt`, authority: false, serial: "1" },
  endTime,
});
const far = ending("ca", "2035-01-01T00:00:00.000Z");
const soon = ending("apiserver", "2026-01-30T23:59:59.000Z");
const sooner = ending("admin.conf", "2026-01-10T00:00:00.000Z");
const past = ending("etcd/server", "2025-12-31T00:00:00.000Z");

it("says nothing while every certificate has thirty days or more", () => {
  expect(describeEnding([], NOW)).toBeNull();
  expect(describeEnding([far, ending("x", "2026-01-31T00:00:00.000Z")], NOW)).toBeNull();
});

it("names the next to end, with its node and day, and how many others do", () => {
  expect(describeEnding([far, soon], NOW)).toBe("apiserver on cp-1 ends 2026-01-30.");
  expect(describeEnding([soon, sooner, far], NOW)).toBe("admin.conf on cp-1 ends 2026-01-10, and 1 more end soon.");
  expect(describeEnding([soon, past], NOW)).toMatch(/^etcd\/server on cp-1 ends 2025-12-31/);
});

it("says the same the next day, so that nothing new is told", () => {
  expect(describeEnding([soon, far], NOW + 86_400_000)).toBe(describeEnding([soon, far], NOW));
});

it("reads them out of an observation, the next to end first", () => {
  expect(readCertificates({ body: { certificatesOnNodes: [far, soon, past] } })).toEqual([past, soon, far]);
  expect(readCertificates(undefined)).toEqual([]);
});

it("counts whole days, below zero for what has ended", () => {
  expect([far, soon, past].map(({ endTime }) => daysLeft(endTime, NOW))).toEqual([3287, 29, -1]);
});
