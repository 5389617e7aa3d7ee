import { setImmediate as nextTurn } from "node:timers/promises";
import { DroverError } from "@drover/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../ports/store/index.ts";
import { systemTimer } from "../../ports/timer.ts";
import { Feed, type FeedSource } from "./feed.ts";
import type { Placed, View } from "./frame.ts";
import { ReadGate } from "./read-gate.ts";
import { HIGH_WATER_BYTES, type Sink } from "./sink.ts";
import { Viewer } from "./viewer.ts";
import type { Wire } from "./wire.ts";

/** A store in memory: places with gaps, pages of changing size, a past that may be forgotten. */
class FakeSource implements FeedSource<Placed> {
  readonly isBounded = true;
  readonly items: Placed[] = [];
  forgottenUpTo = 0;
  isEnded = false;

  append(gap: number, size: number): void {
    this.items.push({ place: (this.items.at(-1)?.place ?? 0) + 1 + gap, size });
  }

  async read(after: number, limit: number) {
    await nextTurn();
    if (after < this.forgottenUpTo) throw new DroverError("event-cursor-expired", "forgotten");
    const items = this.items.filter(({ place }) => place > after).slice(0, Math.min(limit, 1 + (after % 5)));
    return { items, upTo: items.at(-1)?.place ?? after };
  }

  async newest(): Promise<number> {
    await nextTurn();
    return this.items.at(-1)?.place ?? 0;
  }

  async ending(): Promise<Json> {
    await nextTurn();
    return this.isEnded ? "over" : null;
  }
}

const says = (word: string) => (place: number) => Buffer.from(`${word} ${place}\n`);
const wire: Wire = {
  hello: says("hello"),
  heartbeat: says("beat"),
  reset: says("reset"),
  end: () => Buffer.from("end\n"),
};

/** Every third item is hidden from some. */
const views: readonly View<Placed>[] = [1, 3].map((hidden) => ({
  key: String(hidden),
  encode: (items) => {
    const kept = items.filter(({ place }) => hidden === 1 || place % hidden !== 0);
    return kept.length === 0 ? null : Buffer.from(kept.map(({ place }) => `${place}\n`).join(""));
  },
}));

class FakeSink implements Sink {
  text = "";
  isFinished = false;
  isStalled = false;
  buffered = 0;
  #onDrained: (() => void) | null = null;
  #onClosed: (() => void)[] = [];

  write(bytes: Buffer): void {
    expect(this.isFinished || this.buffered > HIGH_WATER_BYTES).toBe(false);
    this.text += bytes.toString();
    if (this.isStalled) this.buffered += 100_000;
  }
  onceDrained(callback: () => void): void {
    expect(this.#onDrained).toBeNull();
    this.#onDrained = callback;
  }
  onceClosed(callback: () => void): void {
    this.#onClosed.push(callback);
  }
  finish(): void {
    this.isFinished = true;
  }
  cut(): void {
    for (const callback of this.#onClosed.splice(0)) callback();
  }
  drain(): void {
    this.isStalled = false;
    this.buffered = 0;
    const callback = this.#onDrained;
    this.#onDrained = null;
    callback?.();
  }
}

type Command =
  | { readonly do: "append"; readonly gap: number; readonly size: number; readonly isTold: boolean }
  | { readonly do: "join"; readonly place: number | null; readonly view: number }
  | { readonly do: "stall" | "drain" | "leave"; readonly who: number }
  | { readonly do: "wait" | "beat" };

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      gap: fc.constantFrom(0, 0, 0, 2),
      size: fc.constantFrom(1, 30_000, 700_000),
      isTold: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("join" as const),
      place: fc.option(fc.nat(15)),
      view: fc.constantFrom(0, 1),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("stall" as const, "drain" as const), who: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), who: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("wait" as const, "beat" as const) }) },
);

interface Watching {
  readonly sink: FakeSink;
  readonly viewer: Viewer<Placed>;
  readonly view: number;
  hasLeft: boolean;
}

async function play(commands: readonly Command[]) {
  const source = new FakeSource();
  const errors: unknown[] = [];
  const feed = new Feed(source, {
    timer: systemTimer,
    gate: new ReadGate(2),
    onError: (error) => void errors.push(error),
  });
  const all: Watching[] = [];
  const steps: Record<Command["do"], (given: never) => unknown> = {
    append: ({ gap, size, isTold }: Extract<Command, { do: "append" }>) => {
      source.append(gap, size);
      if (isTold) feed.look();
    },
    join: ({ place, view }: Extract<Command, { do: "join" }>) => {
      const sink = new FakeSink();
      const viewer = new Viewer({ view: views[view] as View<Placed>, wire, sink, place });
      all.push({ sink, viewer, view, hasLeft: false });
      feed.join(viewer);
    },
    stall: ({ who }: { who: number }) => {
      const one = all[who % all.length];
      if (one !== undefined) one.sink.isStalled = true;
    },
    drain: ({ who }: { who: number }) => all[who % all.length]?.sink.drain(),
    leave: ({ who }: { who: number }) => {
      const one = all[who % all.length];
      if (one === undefined) return;
      one.hasLeft = true;
      one.viewer.cut("stalled");
    },
    wait: async () => await nextTurn(),
    beat: () => feed.beat(),
  };
  for (const one of commands) await steps[one.do](one as never);
  source.isEnded = true;
  feed.look({ mayHaveEnded: true });
  for (let turn = 0; turn < 2_000 && all.some(({ sink, hasLeft }) => !hasLeft && !sink.isFinished); turn++) {
    for (const { sink } of all) if (sink.buffered > 0) sink.drain();
    await nextTurn();
  }
  feed.close();
  return { source, all, errors };
}

/** What a viewer has to see of what it was told: from where it began, and after a reset from there. */
function checkSeen(text: string, view: number, items: readonly Placed[], isComplete: boolean): void {
  const words = text.trimEnd().split("\n");
  let expected: number[] | null = null;
  const visible = items.map(({ place }) => place).filter((place) => view === 0 || place % 3 !== 0);
  for (const word of words) {
    const [kind, place] = word.split(" ");
    if (kind === "hello" || kind === "reset") expected = visible.filter((one) => one > Number(place));
    else if (kind === "end") expect(expected).toEqual([]);
    else if (kind !== "beat") expect(Number(word)).toBe(expected?.shift());
  }
  if (isComplete) expect(words.at(-1)).toBe("end");
}

/** The viewer is live when its last heartbeat fills it. */
const heartbeatFills: Command[] = [
  { do: "join", place: 2, view: 0 },
  { do: "stall", who: 0 },
  { do: "wait" },
  { do: "wait" },
  { do: "beat" },
  { do: "append", gap: 0, size: 1, isTold: false },
  { do: "wait" },
];

it("gives every viewer everything behind its place once and in order, whoever stalls, drains, comes and goes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 80 }), async (commands) => {
      const { source, all, errors } = await play(commands);
      expect(errors).toEqual([]);
      for (const { sink, view, hasLeft } of all) {
        if (sink.text !== "") checkSeen(sink.text, view, source.items, !hasLeft);
      }
    }),
    {
      numRuns: 3_000,
      examples: [[heartbeatFills]],
    },
  );
});

it("tells a viewer that was behind for too long to begin anew, and goes on from now", async () => {
  const source = new FakeSource();
  const feed = new Feed(source, { timer: systemTimer, gate: new ReadGate(2), onError: () => {} });
  const sink = new FakeSink();
  feed.join(new Viewer({ view: views[0] as View<Placed>, wire, sink, place: 0 }));
  sink.isStalled = true;
  // More than is kept at hand.
  for (let count = 0; count < 10; count++) {
    source.append(0, 700_000);
    feed.look();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
  }
  source.forgottenUpTo = 6;
  const before = sink.text;
  sink.drain();
  source.append(0, 1);
  feed.look();
  await expect.poll(() => sink.text).toContain("11\n");
  expect(before.split("\n").slice(1, -1).map(Number)).toEqual([1, 2, 3].slice(0, before.split("\n").length - 2));
  expect(sink.text.slice(before.length)).toMatch(/^reset 1[01]\n(11\n)?$/);
  feed.close();
});
