import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { WriterInput } from "../programs/write-at-random.ts";
import type { Random } from "../support/random.ts";
import { type Program, startProgram } from "../support/start-program.ts";
import { type Line, readLines } from "./acknowledgement.ts";

/** Several writers on one store, each replaced by another when it is killed. */
export interface Herd {
  /** Kills each of them at random moments and starts another in its place. Answers how many were killed. */
  killAtRandom(forMs: number): Promise<number>;
  /** Waits until each of them has had some dozens of answers more. */
  waitForAnswers(): Promise<void>;
  /** Ends all of them at once, in the middle of whatever they do. */
  killAll(): Promise<void>;
  /** Lets all of them end what they do. */
  stop(): Promise<void>;
  readLines(): readonly Line[];
}

/** How many of them are killed at any moment of their start; the others are let have some answers first. */
const KILLED_EARLY_PERCENT = 15;
const LONGEST_START_MS = 300;
/** What some dozens of answers take up. */
const MOST_BYTES = 10_000;
const LOOK_MS = 4;
const LONGEST_LIFE_MS = 5_000;
const PATIENCE_MS = 60_000;
const KILL_LIMIT = 2_000;

interface Slot {
  readonly program: Program;
  readonly file: string;
}

export function startHerd(options: {
  readonly program: string;
  readonly url: string;
  readonly folder: string;
  readonly seed: number;
  readonly random: Random;
  readonly writers: number;
}): Herd {
  const { program, url, folder, seed, random, writers } = options;
  const files: string[] = [];
  const start = (): Slot => {
    const writer = `w${files.length}`;
    const file = join(folder, `${writer}.jsonl`);
    files.push(file);
    const input: WriterInput = { url, writer, seed, file };
    return { program: startProgram(program, input), file };
  };
  const slots = Array.from({ length: writers }, start);
  return {
    killAtRandom: async (forMs) => {
      const until = performance.now() + forMs;
      let kills = 0;
      const haunt = async (number: number) => {
        const moments = random.fork(`slot ${number}`);
        while (performance.now() < until && kills < KILL_LIMIT) {
          const slot = slots[number] as Slot;
          await liveForAWhile(slot, moments);
          await killRunning(slot);
          kills += 1;
          slots[number] = start();
        }
      };
      await Promise.all(slots.map((_, number) => haunt(number)));
      return kills;
    },
    waitForAnswers: async () => {
      await Promise.all(slots.map(({ file }) => waitForSize(file, sizeOf(file) + MOST_BYTES, PATIENCE_MS)));
    },
    killAll: async () => void (await Promise.all(slots.map(killRunning))),
    stop: async () => {
      for (const { program } of slots) program.tell("stop");
      await Promise.all(slots.map(({ program }) => program.finish()));
    },
    readLines: () => files.filter((file) => existsSync(file)).flatMap(readLines),
  };
}

/** Counted in answers, not in time: a slow machine kills fewer writers, but none that has not written. */
async function liveForAWhile({ program, file }: Slot, moments: Random): Promise<void> {
  if (moments.chance(KILLED_EARLY_PERCENT)) return await sleep(moments.below(LONGEST_START_MS));
  const enough = moments.below(MOST_BYTES);
  await program.hear("writing");
  await waitForSize(file, enough, LONGEST_LIFE_MS);
  await sleep(moments.below(LOOK_MS * 2));
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

async function waitForSize(file: string, size: number, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  while (sizeOf(file) < size && performance.now() < until) await sleep(LOOK_MS);
}

/** A writer only ever ends because it is killed: one that has ended by itself met something that it should not meet. */
async function killRunning({ program }: Slot): Promise<void> {
  const { code, signal } = await program.kill();
  if (signal !== "SIGKILL") throw new Error(`A writer ended by itself with ${code ?? signal}.\n${program.complaint()}`);
}
