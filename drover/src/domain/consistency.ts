/**
 * Comparing what should exist with what was seen, in any system: the target itself, git, Argo CD, Portainer, HAProxy,
 * the ledger in the database. Each difference gets a verdict with its cause and the repair that would end it. Nothing
 * is carried out here.
 *
 * A system that could not be asked yields `unknown`, never `missing`; what Drover did not make is never an orphan.
 */

/** A thing in some system, known by its kind and reference there. */
export interface Thing {
  readonly system: string;
  readonly kind: string;
  readonly ref: string;
}

export interface ExpectedThing extends Thing {
  /** The cluster it belongs to. */
  readonly owner: string;
  /** `absent`: it was made once and has been deleted since. */
  readonly wanted: "present" | "absent";
  /** What it should contain, as any text that changes with it; null when only its being there counts. */
  readonly content: string | null;
  /** Whether losing it loses something that cannot be made again. */
  readonly holdsData: boolean;
}

export interface SeenThing extends Thing {
  /** The cluster it says it belongs to; null when it does not bear Drover's mark. */
  readonly owner: string | null;
  readonly content: string | null;
  readonly holdsData: boolean;
}

/** What came of looking into one system. */
export interface Look {
  readonly system: string;
  /** `partial`: what was seen is there, but what was not seen may be there too. */
  readonly reach: "complete" | "partial" | "unreachable" | "not-checked";
  /** Why it is not complete, in words. */
  readonly detail: string;
  readonly things: readonly SeenThing[];
}

export interface Repair {
  readonly action: "create" | "update" | "remove" | "look-again" | "ask-a-person";
  readonly text: string;
  /** A destructive repair is only ever carried out by somebody who was shown this verdict. */
  readonly effect: "safe" | "destructive";
}

export interface Verdict extends Thing {
  readonly verdict: "consistent" | "missing" | "orphaned" | "differs" | "unknown";
  readonly owner: string | null;
  readonly cause: string;
  /** Null when there is nothing to repair. */
  readonly repair: Repair | null;
}

export interface Inventory {
  readonly expected: readonly ExpectedThing[];
  readonly looks: readonly Look[];
  /** Clusters that a job is working on: whatever differs there may be on its way. */
  readonly busy: ReadonlySet<string>;
}

/** One verdict for every expected thing and every orphan, sorted by system, kind and reference. */
export function judgeConsistency({ expected, looks, busy }: Inventory): readonly Verdict[] {
  const lookInto = new Map(looks.map((look) => [look.system, look]));
  const seen = new Map(looks.flatMap((look) => look.things.map((thing) => [keyOf(thing), thing] as const)));
  const known = new Set(expected.map(keyOf));
  const verdicts = expected.map((thing) =>
    judgeExpected(thing, lookInto.get(thing.system), seen.get(keyOf(thing)), busy),
  );
  for (const thing of seen.values()) {
    if (thing.owner !== null && !known.has(keyOf(thing))) verdicts.push(judgeUnexpected(thing, thing.owner, busy));
  }
  return verdicts.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

export interface ConsistencySummary {
  /** `unknown` when nothing differs but something could not be found out: that is not the same as consistent. */
  readonly state: "consistent" | "drifted" | "unknown";
  readonly counts: Readonly<Record<Verdict["verdict"], number>>;
}

export function summariseConsistency(verdicts: readonly Verdict[], looks: readonly Look[]): ConsistencySummary {
  const counts = { consistent: 0, missing: 0, orphaned: 0, differs: 0, unknown: 0 };
  for (const { verdict } of verdicts) counts[verdict] += 1;
  const drifted = counts.missing + counts.orphaned + counts.differs > 0;
  const unsure = counts.unknown > 0 || looks.length === 0 || looks.some(({ reach }) => reach !== "complete");
  return { state: drifted ? "drifted" : unsure ? "unknown" : "consistent", counts };
}

function judgeExpected(
  thing: ExpectedThing,
  look: Look | undefined,
  seen: SeenThing | undefined,
  busy: ReadonlySet<string>,
): Verdict {
  const found = seen === undefined ? judgeUnseen(thing, look) : judgeSeen(thing, seen);
  const settled = found.verdict === "consistent" || found.verdict === "unknown";
  return settled || !busy.has(thing.owner) ? found : inMotion(thing, thing.owner);
}

function judgeUnseen(thing: ExpectedThing, look: Look | undefined): Verdict {
  if (look?.reach !== "complete") {
    const cause = look === undefined || look.detail === "" ? `${thing.system} was not checked.` : look.detail;
    return tell(thing, thing.owner, "unknown", cause, LOOK_AGAIN);
  }
  if (thing.wanted === "absent") return tell(thing, thing.owner, "consistent", "It was deleted and is gone.", null);
  return tell(thing, thing.owner, "missing", `${nameOf(thing)} should exist in ${thing.system} and does not.`, {
    action: "create",
    text: `Create ${nameOf(thing)} in ${thing.system}.`,
    effect: "safe",
  });
}

function judgeSeen(thing: ExpectedThing, seen: SeenThing): Verdict {
  if (seen.owner !== thing.owner) {
    if (thing.wanted === "absent") {
      return tell(
        thing,
        thing.owner,
        "consistent",
        "It was deleted; what is there now belongs to somebody else.",
        null,
      );
    }
    const whose = seen.owner === null ? "was not made by Drover" : `belongs to the cluster "${seen.owner}"`;
    return tell(thing, thing.owner, "differs", `${nameOf(thing)} exists in ${thing.system}, but ${whose}.`, {
      action: "ask-a-person",
      text: `Find out whose ${nameOf(thing)} is, then rename or remove it, or adopt it.`,
      effect: "destructive",
    });
  }
  if (thing.wanted === "absent") {
    return tell(thing, thing.owner, "orphaned", `${nameOf(thing)} was deleted but is still there.`, removal(seen));
  }
  if (thing.content === null || thing.content === seen.content) {
    return tell(thing, thing.owner, "consistent", "It is as it should be.", null);
  }
  if (seen.content === null) {
    return tell(thing, thing.owner, "unknown", `What ${nameOf(thing)} contains could not be read.`, LOOK_AGAIN);
  }
  return tell(thing, thing.owner, "differs", `${nameOf(thing)} in ${thing.system} was changed outside Drover.`, {
    action: "update",
    text: `Bring ${nameOf(thing)} in ${thing.system} back to what was declared.`,
    effect: thing.holdsData || seen.holdsData ? "destructive" : "safe",
  });
}

function judgeUnexpected(thing: SeenThing, owner: string, busy: ReadonlySet<string>): Verdict {
  if (busy.has(owner)) return inMotion(thing, owner);
  const cause = `${nameOf(thing)} bears the mark of the cluster "${owner}", but nothing declares it.`;
  return tell(thing, owner, "orphaned", cause, removal(thing));
}

const LOOK_AGAIN: Repair = { action: "look-again", text: "Look again once the system answers.", effect: "safe" };

function removal(thing: SeenThing): Repair {
  return {
    action: "remove",
    text: `Remove ${nameOf(thing)} from ${thing.system}.`,
    effect: thing.holdsData ? "destructive" : "safe",
  };
}

function inMotion(thing: Thing, owner: string): Verdict {
  return tell(thing, owner, "unknown", `A job is working on the cluster "${owner}".`, {
    action: "look-again",
    text: "Look again when the job has ended.",
    effect: "safe",
  });
}

function tell(
  { system, kind, ref }: Thing,
  owner: string | null,
  verdict: Verdict["verdict"],
  cause: string,
  repair: Repair | null,
): Verdict {
  return { system, kind, ref, owner, verdict, cause, repair };
}

function nameOf({ kind, ref }: Thing): string {
  return `${kind} "${ref}"`;
}

/** References may contain anything but a line break. */
function keyOf({ system, kind, ref }: Thing): string {
  return `${system}\n${kind}\n${ref}`;
}
