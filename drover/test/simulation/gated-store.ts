import { DroverError } from "@drover/contract";
import type { Store } from "../../src/ports/store/index.ts";
import type { Gate } from "./gate.ts";
import type { Moment } from "./moment.ts";
import type { Oracle } from "./oracle.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { SimulationTime } from "./simulation-time.ts";
import type { Trace } from "./trace.ts";

export interface StoreTroubles {
  /** How many of a thousand calls take time on their way there, or back. */
  slow: number;
  /** How many of a thousand fail: half of them before they are done, half after. */
  broken: number;
  /** How many of a thousand changes of users fail, likewise. */
  users: number;
  /** Until when, by monotonic time, nobody reaches the store. */
  outageUntil: number;
}

export interface GatedStoreParts {
  readonly who: string;
  readonly store: Store;
  readonly gate: Gate;
  readonly time: SimulationTime;
  readonly random: SeededRandom;
  readonly oracle: Oracle;
  readonly trace: Trace;
  readonly troubles: StoreTroubles;
  /** Called at the boundaries of every call; left out where nothing lies in wait. */
  readonly meet?: ((moment: Moment) => Promise<void>) | undefined;
}

type Method = (...parameters: unknown[]) => Promise<unknown>;

/** The store as one worker reaches it: over a line that may be slow, may be cut, and ends with the worker. */
export function gateStore(parts: GatedStoreParts): Store {
  const areas = Object.entries(parts.store).map(([area, methods]): [string, unknown] => {
    if (area === "wake") return [area, gateWake(parts)];
    if (typeof methods === "function") return [area, () => Promise.resolve()];
    const gated = Object.entries(methods as Record<string, Method>).map(([name, method]) => [
      name,
      (...parameters: unknown[]) => call(parts, `${area}.${name}`, method, parameters),
    ]);
    return [area, Object.fromEntries(gated)];
  });
  return Object.fromEntries(areas) as unknown as Store;
}

function gateWake({ store, gate }: GatedStoreParts): Store["wake"] {
  return { onWake: (topic, listener) => store.wake.onWake(topic, () => gate.pass(listener)) };
}

async function call(parts: GatedStoreParts, name: string, method: Method, parameters: unknown[]): Promise<unknown> {
  const { gate, random, troubles } = parts;
  await gate.open();
  if (random.chance(troubles.slow / 1_000)) await delay(parts);
  if (parts.meet !== undefined) await meet(parts, { point: name, when: "before", worker: parts.who, parameters });
  if (isCutOff(parts, name) || random.chance(troubles.broken / 2_000)) return await fail(parts, name, "before");
  const answer = await perform(parts, name, method, parameters);
  if (random.chance(troubles.slow / 1_000)) await delay(parts);
  if (parts.meet !== undefined && answer.ok) {
    const moment = { point: name, when: "after", worker: parts.who, parameters, answer: answer.value } as const;
    await meet(parts, moment);
  }
  await gate.open();
  if (isCutOff(parts, name) || random.chance(troubles.broken / 2_000)) return await fail(parts, name, "after");
  if (answer.ok) return answer.value;
  throw answer.error;
}

/** What happens here may stop the worker, or end it. */
async function meet({ meet: happen, gate }: GatedStoreParts, moment: Moment): Promise<void> {
  await happen?.(moment);
  await gate.open();
}

function isCutOff({ gate, time, troubles }: GatedStoreParts, name: string): boolean {
  const now = time.monotonic();
  if (gate.cutOffUntil > now || troubles.outageUntil > now) return true;
  return name === "jobs.renewLeases" && gate.deafUntil > now;
}

function delay({ gate, time, random }: GatedStoreParts): Promise<void> {
  return new Promise((resolve) => void gate.timer(time).after(random.between(1, 400), resolve));
}

async function fail({ who, gate, trace }: GatedStoreParts, name: string, when: string): Promise<never> {
  await gate.open();
  trace.write(who, `${name}: the store is away (${when} it was done)`);
  throw new DroverError("store-unreachable", "Simulated: the database cannot be reached.");
}

type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

async function perform(parts: GatedStoreParts, name: string, method: Method, parameters: unknown[]): Promise<Answer> {
  const { who, oracle, trace, time } = parts;
  return await time.hold(async () => {
    const lost = oracle.lostBefore(name, parameters);
    try {
      const value = await method(...parameters);
      oracle.committed(who, name, parameters, value, lost);
      if (trace.isKept && !QUIET.has(name)) {
        trace.write(who, `${name} ${summary(parameters)} → ${summary([value])}`);
      }
      return { ok: true, value };
    } catch (error) {
      const code = error instanceof DroverError ? error.code : String(error);
      trace.write(who, `${name} ${summary(parameters)} ✗ ${code}`);
      return { ok: false, error };
    }
  });
}

/** What happens all the time and says nothing. */
const QUIET: ReadonlySet<string> = new Set([
  "jobs.nextClaimIn",
  "looks.nextLookIn",
  "looks.readResting",
  "schedules.nextSwitchIn",
  "observations.readTime",
  "workers.showPresence",
  "workers.findGone",
]);

const LONGEST = 160;

function summary(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value, shorten) ?? "nothing").join(" ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Too long to read, or known from the rest of the line. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["spec", "body", "report", "conditions", "data", "labels", "annotations", "modifiers", "fingerprint"],
  ...["id", "host", "providers", "hostBound", "provider", "specHash", "leaseMs", "clusterId", "resyncMs"],
  ...["healthMs", "jitterMs", "expiryWarningMs", "batch", "title", "name", "line"],
]);
const shorten = (key: string, value: unknown): unknown => (LEFT_OUT.has(key) ? undefined : value);
