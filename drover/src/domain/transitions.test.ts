import { ERRORS } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Applied, Situation } from "./apply-event.ts";
import { applyEvent } from "./apply-event.ts";
import type { ClusterEvent } from "./cluster-events.ts";
import { CLUSTER_EVENTS } from "./cluster-events.ts";
import { phaseOf } from "./phase.ts";
import type { Answer, Stage } from "./transition.ts";
import { STAGES } from "./transition.ts";
import { listEdges, TRANSITIONS } from "./transitions.ts";

const EVENTS = Object.keys(CLUSTER_EVENTS) as ClusterEvent[];
const stageOf = (situation: Situation | null): Stage => (situation === null ? "Gone" : phaseOf(situation));

function nameAnswer(answer: Answer): string {
  if (answer.kind === "to") return `to ${answer.stage}`;
  return answer.kind === "ignored" ? "ignored" : `refused ${answer.code}`;
}

function nameApplied(result: Applied): string {
  if (result.kind === "applied") return `to ${stageOf(result.situation)}`;
  return result.kind === "ignored" ? "ignored" : `refused ${result.code}`;
}

/** Where a cluster is after these events; those that are ignored or refused leave it where it was. */
function play(start: Situation | null, events: readonly ClusterEvent[]): Situation | null {
  return events.reduce<Situation | null>((now, event) => {
    const result = applyEvent(now, event);
    return result.kind === "applied" ? result.situation : now;
  }, start);
}

/** What told two situations apart could lead to different phases. Flags that decide nothing are left out. */
function keyOf(situation: Situation | null): string {
  if (situation === null) return "";
  const { paused: _paused, stalled: _stalled, drifted: _drifted, ...rest } = situation;
  return JSON.stringify(rest);
}

interface Walk {
  readonly situations: readonly (Situation | null)[];
  readonly answers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Every situation that a cluster can get into from nothing, and all that comes of every event in each of them. */
function walkEverywhere(): Walk {
  const situations: (Situation | null)[] = [null];
  const known = new Set([keyOf(null)]);
  const answers = new Map<string, Set<string>>();
  for (const situation of situations) {
    const stage = stageOf(situation);
    for (const event of EVENTS) {
      const result = applyEvent(situation, event);
      const pair = `${stage} × ${event}`;
      answers.set(pair, (answers.get(pair) ?? new Set()).add(nameApplied(result)));
      if (result.kind !== "applied") continue;
      const key = keyOf(result.situation);
      if (known.has(key)) continue;
      known.add(key);
      situations.push(result.situation);
    }
  }
  return { situations, answers };
}

const walk = walkEverywhere();
const clusters = walk.situations.filter((situation) => situation !== null);
const pairs = STAGES.flatMap((stage) => EVENTS.map((event) => [stage, event] as const));

describe("the transition table", () => {
  it.each(STAGES)("says of every event exactly what can happen: %s", (stage) => {
    const told = EVENTS.map((event) => [event, ...TRANSITIONS[event][stage].map(nameAnswer).sort()]);
    const seen = EVENTS.map((event) => [event, ...[...(walk.answers.get(`${stage} × ${event}`) ?? [])].sort()]);
    expect(told).toEqual(seen);
  });

  it("says in which case, wherever there are several answers to choose from", () => {
    const unclear = pairs.filter(([stage, event]) => TRANSITIONS[event][stage].filter(({ when }) => !when).length > 1);
    expect(unclear).toEqual([]);
  });

  it("refuses with codes of the catalogue only", () => {
    const answers = pairs.flatMap(([stage, event]) => TRANSITIONS[event][stage] as readonly Answer[]);
    const codes = answers.flatMap((answer) => (answer.kind === "refused" ? [answer.code] : []));
    expect([...new Set(codes)].filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
    expect(codes.length).toBeGreaterThan(0);
  });

  it("reaches every stage from nothing and leads back to nothing from every stage", () => {
    const edges = listEdges();
    const reach = (start: Stage, step: (stage: Stage) => Stage[]): Set<Stage> => {
      const reached = new Set([start]);
      for (const stage of reached) for (const next of step(stage)) reached.add(next);
      return reached;
    };
    const forward = reach("Gone", (stage) => edges.filter(({ from }) => from === stage).map((edge) => edge.to));
    const backward = reach("Gone", (stage) => edges.filter((edge) => edge.to === stage).map(({ from }) => from));
    expect([...forward].sort()).toEqual([...STAGES].sort());
    expect([...backward].sort()).toEqual([...STAGES].sort());
  });

  it("knows one way only to be gone: a delete that has proven it", () => {
    const events = listEdges().flatMap((edge) => (edge.to === "Gone" ? edge.events : []));
    expect([...new Set(events)]).toEqual(["deleted"]);
  });
});

describe("every situation a cluster can get into", () => {
  it("is many, and includes all of the phases", () => {
    expect(clusters.length).toBeGreaterThan(10_000);
    expect(new Set(walk.situations.map(stageOf)).size).toBe(STAGES.length);
  });

  it("keeps somebody at work while it is Pending, Creating, Connecting, Updating, Canceling or Deleting", () => {
    const busy = new Set<Stage>(["Pending", "Creating", "Connecting", "Updating", "Canceling", "Deleting"]);
    expect(clusters.filter((one) => busy.has(stageOf(one)) && one.liveJob === null)).toEqual([]);
  });

  it("is never ready while declared absent, nor after a job that did not succeed", () => {
    const ready = clusters.filter((one) => ["Running", "Unreachable"].includes(stageOf(one)));
    expect(ready.filter((one) => one.desiredState === "absent")).toEqual([]);
    expect(ready.filter(({ lastJob }) => lastJob !== null && lastJob.state !== "Succeeded")).toEqual([]);
  });

  it("never has a job behind nothing", () => {
    expect(clusters.filter((one) => one.nextJob !== null && one.liveJob === null)).toEqual([]);
  });

  it("can be ended: delete, then whatever workers have to say, leads to nothing", () => {
    const story = ["unprotect", "delete", "claimed", "canceled", "retry", "claimed", "deleted"] as const;
    expect(clusters.filter((one) => play(one, story) !== null)).toEqual([]);
  });
});

describe("random walks", () => {
  it("never leave the table", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 60 }), (events) => {
        let now: Situation | null = null;
        for (const event of ["create" as const, ...events]) {
          const result: Applied = applyEvent(now, event);
          expect(TRANSITIONS[event][stageOf(now)].map(nameAnswer)).toContain(nameApplied(result));
          if (result.kind === "applied") now = result.situation;
        }
      }),
    );
  });

  it("record a create that finished as finished, whatever was asked meanwhile", () => {
    const end = play(null, ["create", "claimed", "cancel", "createSucceeded"]);
    expect(end).toMatchObject({ lastJob: { kind: "create", state: "Succeeded" }, liveJob: null });
    expect(stageOf(end)).toBe("Running");
  });
});
