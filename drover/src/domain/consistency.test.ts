import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExpectedThing, Look, SeenThing, Verdict } from "./consistency.ts";
import { judgeConsistency, summariseConsistency } from "./consistency.ts";

const branch: ExpectedThing = {
  system: "git",
  kind: "branch",
  ref: "dev",
  owner: "dev",
  wanted: "present",
  content: "sha1",
  holdsData: false,
};
const seenBranch: SeenThing = {
  system: "git",
  kind: "branch",
  ref: "dev",
  owner: "dev",
  content: "sha1",
  holdsData: false,
};
const look = (reach: Look["reach"], ...things: SeenThing[]): Look => ({ system: "git", reach, detail: "", things });

function judge(expected: ExpectedThing | null, looks: Look[], busy: string[] = []): Verdict | undefined {
  return judgeConsistency({ expected: expected ? [expected] : [], looks, busy: new Set(busy) })[0];
}

describe("judgeConsistency", () => {
  const gone: ExpectedThing = { ...branch, wanted: "absent" };
  it.each<[string, ExpectedThing | null, Look[], string, string | undefined, string | undefined]>([
    ["as it should be", branch, [look("complete", seenBranch)], "consistent", undefined, undefined],
    ["not there", branch, [look("complete")], "missing", "create", "safe"],
    ["not there, as it should be", gone, [look("complete")], "consistent", undefined, undefined],
    ["still there", gone, [look("complete", seenBranch)], "orphaned", "remove", "safe"],
    [
      "replaced by another's",
      gone,
      [look("complete", { ...seenBranch, owner: null })],
      "consistent",
      undefined,
      undefined,
    ],
    ["changed", branch, [look("complete", { ...seenBranch, content: "sha2" })], "differs", "update", "safe"],
    ["unreadable", branch, [look("complete", { ...seenBranch, content: null })], "unknown", "look-again", "safe"],
    [
      "another's",
      branch,
      [look("complete", { ...seenBranch, owner: "prod" })],
      "differs",
      "ask-a-person",
      "destructive",
    ],
    ["nobody's", branch, [look("complete", { ...seenBranch, owner: null })], "differs", "ask-a-person", "destructive"],
    ["not declared", null, [look("complete", seenBranch)], "orphaned", "remove", "safe"],
    [
      "not declared and precious",
      null,
      [look("complete", { ...seenBranch, holdsData: true })],
      "orphaned",
      "remove",
      "destructive",
    ],
    [
      "changed and precious",
      { ...branch, holdsData: true },
      [look("complete", { ...seenBranch, content: "x" })],
      "differs",
      "update",
      "destructive",
    ],
    ["out of reach", branch, [look("unreachable")], "unknown", "look-again", "safe"],
    ["not checked", branch, [look("not-checked")], "unknown", "look-again", "safe"],
    ["never asked for", branch, [], "unknown", "look-again", "safe"],
    ["not among what was seen in part", branch, [look("partial")], "unknown", "look-again", "safe"],
    ["among what was seen in part", branch, [look("partial", seenBranch)], "consistent", undefined, undefined],
    ["an orphan among what was seen in part", null, [look("partial", seenBranch)], "orphaned", "remove", "safe"],
    [
      "only there, when its content does not matter",
      { ...branch, content: null },
      [look("complete", { ...seenBranch, content: "any" })],
      "consistent",
      undefined,
      undefined,
    ],
  ])("tells of what is %s", (_, expected, looks, verdict, action, effect) => {
    const result = judge(expected, looks);
    expect(result).toMatchObject({ verdict, ref: "dev" });
    expect(result?.repair?.action).toBe(action);
    expect(result?.repair?.effect).toBe(effect);
    expect(result?.cause).not.toBe("");
  });

  it("leaves alone what Drover did not make", () => {
    expect(judge(null, [look("complete", { ...seenBranch, owner: null })])).toBeUndefined();
  });

  it("holds back while a job is working on the cluster", () => {
    expect(judge(branch, [look("complete")], ["dev"])).toMatchObject({
      verdict: "unknown",
      cause: expect.stringContaining("job is working"),
    });
    expect(judge(null, [look("complete", seenBranch)], ["dev"])?.verdict).toBe("unknown");
    expect(judge(branch, [look("complete", seenBranch)], ["dev"])?.verdict).toBe("consistent");
    expect(judge(branch, [look("complete")], ["prod"])?.verdict).toBe("missing");
  });

  it("says why a system could not be asked", () => {
    expect(judge(branch, [{ ...look("unreachable"), detail: "The remote answered 503." }])?.cause).toBe(
      "The remote answered 503.",
    );
  });

  const refs = fc.constantFrom("a", "b", "c");
  const systems = fc.constantFrom("git", "argocd");
  const owners = fc.constantFrom("a", "b");
  const contents = fc.constantFrom(null, "1", "2");
  const base = { system: systems, kind: fc.constant("thing"), ref: refs, content: contents, holdsData: fc.boolean() };
  const unique = { selector: (thing: { system: string; ref: string }) => `${thing.system} ${thing.ref}` };
  const inventories = fc.record({
    expected: fc.uniqueArray(
      fc.record({ ...base, owner: owners, wanted: fc.constantFrom("present" as const, "absent" as const) }),
      unique,
    ),
    seen: fc.uniqueArray(fc.record({ ...base, owner: fc.option(owners) }), unique),
    reaches: fc.dictionary(
      systems,
      fc.constantFrom<Look["reach"]>("complete", "partial", "unreachable", "not-checked"),
    ),
    busy: fc.uniqueArray(owners),
  });

  it("never takes silence for absence, never removes what is not marked, and is the same in any order", () => {
    fc.assert(
      fc.property(inventories, ({ expected, seen, reaches, busy }) => {
        const looks = Object.entries(reaches).map(([system, reach]): Look => {
          const silent = reach === "unreachable" || reach === "not-checked";
          return { system, reach, detail: "", things: silent ? [] : seen.filter((thing) => thing.system === system) };
        });
        const verdicts = judgeConsistency({ expected, looks, busy: new Set(busy) });
        const complete = new Set(looks.filter(({ reach }) => reach === "complete").map(({ system }) => system));
        expect(verdicts.filter(({ verdict, system }) => verdict === "missing" && !complete.has(system))).toEqual([]);
        const visible = looks.flatMap(({ things }) => things);
        const removed = verdicts.filter(({ repair }) => repair?.action === "remove");
        const unmarked = removed.filter(
          (one) =>
            !visible.some((thing) => thing.system === one.system && thing.ref === one.ref && thing.owner !== null),
        );
        expect(unmarked).toEqual([]);
        const precious = removed
          .filter(({ repair }) => repair?.effect === "safe")
          .filter((one) =>
            visible.some((thing) => thing.system === one.system && thing.ref === one.ref && thing.holdsData),
          );
        expect(precious).toEqual([]);
        const known = verdicts.map(({ system, ref }) => `${system} ${ref}`);
        expect(new Set(known).size).toBe(known.length);
        expect(expected.filter(({ system, ref }) => !known.includes(`${system} ${ref}`))).toEqual([]);
        const reversed = { expected: [...expected].reverse(), looks: [...looks].reverse(), busy: new Set(busy) };
        expect(judgeConsistency(reversed)).toEqual(verdicts);
      }),
    );
  });
});

describe("summariseConsistency", () => {
  const summary = (expected: ExpectedThing[], looks: Look[]) =>
    summariseConsistency(judgeConsistency({ expected, looks, busy: new Set() }), looks);

  it("counts, and says drifted as soon as one thing differs", () => {
    const other = { ...branch, ref: "other" };
    expect(summary([branch, other], [look("complete", seenBranch)])).toEqual({
      state: "drifted",
      counts: { consistent: 1, missing: 1, orphaned: 0, differs: 0, unknown: 0 },
    });
  });

  it("never says consistent when something was not looked at", () => {
    expect(summary([branch], [look("complete", seenBranch)]).state).toBe("consistent");
    expect(summary([], [look("complete")]).state).toBe("consistent");
    expect(summary([], [look("unreachable")]).state).toBe("unknown");
    expect(summary([branch], [look("partial", seenBranch)]).state).toBe("unknown");
    expect(summary([], []).state).toBe("unknown");
  });
});
