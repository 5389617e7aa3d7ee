import { ACTUAL_STATES, FINISHED_JOB_STATES, JOB_KINDS, PHASES, type Phase, PRESENCES } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterFacts, LiveJob } from "./phase.ts";
import { actualStateOf, countsForPhase, explainPhase, isReady, modifiersOf, phaseOf, standsAside } from "./phase.ts";

const healthy: ClusterFacts = {
  desiredState: "present",
  presence: "present",
  reachable: true,
  asleep: false,
  provisioned: true,
  liveJob: null,
  lastJob: { kind: "create", state: "Succeeded" },
  paused: false,
  protected: false,
  stalled: false,
  drifted: false,
  deleted: false,
};
const declared: ClusterFacts = { ...healthy, presence: null, reachable: null, provisioned: false, lastJob: null };
const job = (kind: LiveJob["kind"], rest: Partial<LiveJob> = {}): LiveJob => ({
  kind,
  state: "Processing",
  started: rest.state !== "Pending",
  cancelRequested: false,
  ...rest,
});

const liveJobs = fc.record({
  kind: fc.constantFrom(...JOB_KINDS),
  state: fc.constantFrom("Pending" as const, "Processing" as const),
  started: fc.boolean(),
  cancelRequested: fc.boolean(),
});
const facts: fc.Arbitrary<ClusterFacts> = fc.record({
  desiredState: fc.constantFrom("present" as const, "absent" as const),
  presence: fc.constantFrom(null, ...PRESENCES),
  reachable: fc.constantFrom(null, true, false),
  asleep: fc.boolean(),
  provisioned: fc.boolean(),
  liveJob: fc.option(liveJobs),
  lastJob: fc.option(
    fc.record({
      kind: fc.constantFrom(...JOB_KINDS.filter((kind) => !standsAside(kind))),
      state: fc.constantFrom(...FINISHED_JOB_STATES),
    }),
  ),
  paused: fc.boolean(),
  protected: fc.boolean(),
  stalled: fc.boolean(),
  drifted: fc.boolean(),
  deleted: fc.boolean(),
});

describe("phaseOf", () => {
  const changes = ["update", "upgrade", "repair", "restore", "renew", "hibernate", "wake"] as const;
  const cases: [string, Partial<ClusterFacts>, string, string][] = [
    ["a create waits", { ...declared, liveJob: job("create", { state: "Pending" }) }, "Pending", "CreateWaiting"],
    ["a create runs", { ...declared, liveJob: job("create") }, "Creating", "CreateInProgress"],
    [
      "a create waits for its next attempt",
      { ...declared, liveJob: job("create", { state: "Pending", started: true }) },
      "Creating",
      "CreateInProgress",
    ],
    [
      "an import waits",
      { ...declared, liveJob: job("import", { state: "Pending" }) },
      "Connecting",
      "ImportInProgress",
    ],
    ["an import runs", { ...declared, liveJob: job("import") }, "Connecting", "ImportInProgress"],
    ...changes.map((kind): [string, Partial<ClusterFacts>, string, string] => [
      `${kind} runs`,
      { liveJob: job(kind) },
      "Updating",
      "ChangeInProgress",
    ]),
    ["it sleeps", { reachable: false, asleep: true }, "Hibernated", "Hibernated"],
    ["it slept and is gone", { presence: "absent", asleep: true }, "Unavailable", "Vanished"],
    [
      "a wake waits",
      { reachable: false, asleep: true, liveJob: job("wake", { state: "Pending" }) },
      "Hibernated",
      "Hibernated",
    ],
    ["an update waits", { liveJob: job("update", { state: "Pending" }) }, "Running", "ApiAnswers"],
    [
      "an update waits for its next attempt",
      { liveJob: job("update", { state: "Pending", started: true }) },
      "Updating",
      "ChangeInProgress",
    ],
    ["a backup runs", { liveJob: job("backup") }, "Running", "ApiAnswers"],
    ["a backup is cancelled", { liveJob: job("backup", { cancelRequested: true }) }, "Running", "ApiAnswers"],
    ["a create is cancelled", { liveJob: job("create", { cancelRequested: true }) }, "Canceling", "CancelRequested"],
    [
      "a delete is cancelled",
      { desiredState: "absent", liveJob: job("delete", { cancelRequested: true }) },
      "Canceling",
      "CancelRequested",
    ],
    [
      "a delete cancels a create",
      { ...declared, desiredState: "absent", liveJob: job("create", { cancelRequested: true }) },
      "Canceling",
      "CancelRequested",
    ],
    [
      "a delete waits",
      { desiredState: "absent", liveJob: job("delete", { state: "Pending" }) },
      "Deleting",
      "DeletionInProgress",
    ],
    ["it is declared absent", { desiredState: "absent" }, "Deleting", "DeletionRequested"],
    [
      "it is declared absent and was never made",
      { ...declared, desiredState: "absent", lastJob: { kind: "create", state: "Canceled" } },
      "Deleting",
      "DeletionRequested",
    ],
    [
      "it was seen gone but the delete has not ended",
      { desiredState: "absent", presence: "absent" },
      "Deleting",
      "DeletionRequested",
    ],
    [
      "the delete failed",
      { desiredState: "absent", lastJob: { kind: "delete", state: "Failed" } },
      "Unavailable",
      "JobFailed",
    ],
    [
      "the delete was cancelled",
      { desiredState: "absent", lastJob: { kind: "delete", state: "Canceled" } },
      "Unavailable",
      "JobCanceled",
    ],
    ["the create failed", { ...declared, lastJob: { kind: "create", state: "Failed" } }, "Unavailable", "JobFailed"],
    [
      "the create was cancelled",
      { ...declared, lastJob: { kind: "create", state: "Canceled" } },
      "Unavailable",
      "JobCanceled",
    ],
    [
      "the update failed, yet the API answers",
      { lastJob: { kind: "update", state: "Failed" } },
      "Unavailable",
      "JobFailed",
    ],
    ["it vanished", { presence: "absent", reachable: null }, "Unavailable", "Vanished"],
    ["the API does not answer", { reachable: false }, "Unreachable", "ApiDoesNotAnswer"],
    [
      "the host does not answer, the API does not either",
      { presence: "unknown", reachable: false },
      "Unreachable",
      "ApiDoesNotAnswer",
    ],
    ["the host does not answer, the API does", { presence: "unknown", reachable: true }, "Running", "ApiAnswers"],
    ["nobody could look", { presence: "unknown", reachable: null }, "Unknown", "NotObserved"],
    [
      "nobody has looked since the create succeeded",
      { presence: null, reachable: null },
      "Running",
      "LastJobSucceeded",
    ],
    ["nothing was tried and nobody looked", declared, "Pending", "NothingTriedYet"],
    ["nothing was tried and nobody could look", { ...declared, presence: "unknown" }, "Unknown", "NotObserved"],
    ["nothing was tried and nothing is there", { ...declared, presence: "absent" }, "Pending", "NothingTriedYet"],
    ["something is there that no job made", { ...declared, presence: "present" }, "Unknown", "NotObserved"],
    ["it was seen gone, all of it", { desiredState: "absent", deleted: true }, "Deleting", "Deleted"],
  ];
  it.each(cases)("when %s", (_, changed, phase, reason) => {
    expect(explainPhase({ ...healthy, ...changed })).toEqual({ phase, reason });
  });

  it("answers with every phase for some facts and with nothing else", () => {
    const seen = new Set(cases.map(([, changed]) => phaseOf({ ...healthy, ...changed })));
    expect([...seen].sort()).toEqual([...PHASES].sort());
    fc.assert(fc.property(facts, (some) => PHASES.includes(phaseOf(some))));
  });

  it("never lets a backup change anything", () => {
    fc.assert(
      fc.property(facts, liveJobs, (some, live) => {
        const backup = { ...some, liveJob: { ...live, kind: "backup" as const } };
        expect(explainPhase(backup)).toEqual(explainPhase({ ...some, liveJob: null }));
      }),
    );
  });

  it("leaves the phase as it was while a change only waits", () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...changes), (some, kind) => {
        const waiting = { ...some, liveJob: job(kind, { state: "Pending" }) };
        expect(phaseOf(waiting)).toBe(phaseOf({ ...some, liveJob: null }));
      }),
    );
  });

  it("is never ready after a job that did not succeed, until another one does", () => {
    fc.assert(
      fc.property(facts, (some) => {
        fc.pre(some.lastJob !== null && some.lastJob.state !== "Succeeded");
        expect(isReady(phaseOf(some))).toBe(false);
      }),
    );
  });

  it("is never ready while it is declared absent", () => {
    fc.assert(fc.property(facts, (some) => !isReady(phaseOf({ ...some, desiredState: "absent" }))));
  });

  it("never takes a look in vain for an absence", () => {
    fc.assert(
      fc.property(facts, (some) => {
        const inVain = explainPhase({ ...some, presence: "unknown" });
        expect(inVain.reason).not.toBe("Vanished");
        expect(inVain.reason).not.toBe("NothingTriedYet");
      }),
    );
  });

  it("does not depend on the modifiers", () => {
    fc.assert(
      fc.property(facts, (some) => {
        const bare = { ...some, paused: false, protected: false, stalled: false, drifted: false };
        expect(explainPhase(some)).toEqual(explainPhase(bare));
      }),
    );
  });
});

describe("countsForPhase", () => {
  it("leaves out backups, and changes that were cancelled before anybody began them", () => {
    expect(countsForPhase({ kind: "backup", state: "Failed", started: true })).toBe(false);
    expect(countsForPhase({ kind: "update", state: "Canceled", started: false })).toBe(false);
    expect(countsForPhase({ kind: "update", state: "Canceled", started: true })).toBe(true);
    expect(countsForPhase({ kind: "update", state: "Failed", started: false })).toBe(true);
    expect(countsForPhase({ kind: "create", state: "Canceled", started: false })).toBe(true);
    expect(countsForPhase({ kind: "import", state: "Canceled", started: false })).toBe(true);
    expect(countsForPhase({ kind: "delete", state: "Canceled", started: false })).toBe(true);
  });
});

describe("modifiersOf", () => {
  it("names what holds, in a fixed order, and nothing once the cluster is gone", () => {
    expect(modifiersOf(healthy)).toEqual([]);
    const all = { ...healthy, paused: true, protected: true, stalled: true, drifted: true };
    expect(modifiersOf(all)).toEqual(["Drifted", "Paused", "Protected", "Stalled"]);
    expect(modifiersOf({ ...healthy, paused: true })).toEqual(["Paused"]);
    expect(modifiersOf({ ...all, deleted: true })).toEqual([]);
  });
});

describe("actualStateOf", () => {
  it("has an old word for every phase and uses every old word", () => {
    const words = new Set(PHASES.map((phase) => actualStateOf(phase, { deleted: false })));
    words.add(actualStateOf("Deleting", { deleted: true }));
    expect([...words].sort()).toEqual([...ACTUAL_STATES].sort());
  });

  it("says running for the phases that are ready, and for what sleeps: nobody is to make it anew", () => {
    const exists = (phase: Phase) => isReady(phase) || phase === "Hibernated";
    for (const phase of PHASES) expect(actualStateOf(phase, { deleted: false }) === "running").toBe(exists(phase));
  });
});
