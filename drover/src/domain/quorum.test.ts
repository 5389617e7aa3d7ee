import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EtcdMember } from "./quorum.ts";
import { faultToleranceOf, mayAddMember, mayRemoveMember, mayStopMember, quorumOf } from "./quorum.ts";

/** `++-`: two healthy members and one that is not; `?` was not found out. They are called m0, m1 … */
const members = (text: string): EtcdMember[] =>
  text.split("").map((sign, index) => ({ name: `m${index}`, healthy: sign === "?" ? null : sign === "+" }));
const clusters = fc.array(fc.constantFrom("+", "-", "?"), { maxLength: 9 }).map((signs) => members(signs.join("")));
const healthyOf = (list: readonly EtcdMember[]): number => list.filter((member) => member.healthy === true).length;

describe("quorumOf", () => {
  it("is the smallest majority", () => {
    expect([1, 2, 3, 4, 5, 7].map(quorumOf)).toEqual([1, 2, 2, 3, 3, 4]);
    expect([0, 1, 2, 3, 4, 5].map(faultToleranceOf)).toEqual([0, 0, 0, 1, 1, 2]);
  });
});

describe("mayRemoveMember", () => {
  it.each([
    ["+++", "m0", true],
    ["++-", "m2", true],
    ["++-", "m0", "quorum-would-be-lost"],
    ["++?", "m0", "quorum-would-be-lost"],
    ["++", "m0", true],
    ["+-", "m1", "no-quorum-now"],
    ["+--", "m1", "no-quorum-now"],
    ["+", "m0", "last-member"],
    ["+++", "x", "not-a-member"],
  ])("of %s: %s", (text, name, expected) => {
    const verdict = mayRemoveMember(members(text), name);
    expect(verdict.allowed || verdict.reason).toBe(expected);
  });

  it("allows a removal only when a quorum is left", () => {
    fc.assert(
      fc.property(clusters, (list) => {
        const allowed = list.filter(({ name }) => mayRemoveMember(list, name).allowed);
        const rests = allowed.map(({ name }) => list.filter((member) => member.name !== name));
        expect(rests.filter((rest) => rest.length === 0 || healthyOf(rest) < quorumOf(rest.length))).toEqual([]);
      }),
    );
  });

  it("can always take out a dead member as long as there is a quorum", () => {
    fc.assert(
      fc.property(clusters, (list) => {
        fc.pre(healthyOf(list) >= quorumOf(list.length) && list.length > 1);
        const dead = list.filter((member) => member.healthy !== true);
        expect(dead.filter(({ name }) => !mayRemoveMember(list, name).allowed)).toEqual([]);
      }),
    );
  });
});

describe("mayStopMember", () => {
  it.each([
    ["+++", "m0", true],
    ["++-", "m0", "quorum-would-be-lost"],
    ["++-", "m2", true],
    ["++", "m0", "quorum-would-be-lost"],
    ["+", "m0", "last-member"],
    ["+++++", "m4", true],
    ["+++--", "m0", "quorum-would-be-lost"],
    ["+++", "x", "not-a-member"],
  ])("of %s: %s", (text, name, expected) => {
    const verdict = mayStopMember(members(text), name);
    expect(verdict.allowed || verdict.reason).toBe(expected);
  });

  it("keeps a quorum through a rolling restart of any healthy cluster of three or more", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 9 }), (size) => {
        const list = members("+".repeat(size));
        for (const { name } of list) expect(mayStopMember(list, name).allowed).toBe(true);
      }),
    );
  });
});

describe("mayAddMember", () => {
  it.each([
    ["", true],
    ["+", true],
    ["++", true],
    ["+++", true],
    ["++-", "quorum-would-be-lost"],
    ["+-", "no-quorum-now"],
    ["-", "no-quorum-now"],
    ["++++-", true],
  ])("to %j", (text, expected) => {
    const verdict = mayAddMember(members(text));
    expect(verdict.allowed || verdict.reason).toBe(expected);
  });

  it("never lets an unstarted newcomer take the quorum away, except from a single member", () => {
    fc.assert(
      fc.property(clusters, (list) => {
        fc.pre(list.length > 1 && mayAddMember(list).allowed);
        expect(healthyOf(list)).toBeGreaterThanOrEqual(quorumOf(list.length + 1));
      }),
    );
  });
});
