import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { WriterInput } from "../programs/write-at-random.ts";
import type { Random } from "../support/random.ts";
import { type Program, startProgram } from "../support/start-program.ts";
import { type Line, readLines } from "./acknowledgement.ts";

/** Several writers on one store, each replaced by another when it is killed. */
export interface Herd {
  /** Kills one of them at a time, at random moments, and starts another in its place. Answers how many. */
  killAtRandom(forMs: number): Promise<number>;
  /** Ends all of them at once, in the middle of whatever they do. */
  killAll(): Promise<void>;
  /** Lets all of them end what they do. */
  stop(): Promise<void>;
  readLines(): readonly Line[];
}

const SHORTEST_LIFE_MS = 20;
const LONGEST_PAUSE_MS = 350;
const KILL_LIMIT = 2_000;

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
  let born = 0;
  const start = (): Program => {
    const writer = `w${born++}`;
    const input: WriterInput = { url, writer, seed, file: join(folder, `${writer}.jsonl`) };
    files.push(input.file);
    return startProgram(program, input);
  };
  const slots = Array.from({ length: writers }, start);
  return {
    killAtRandom: async (forMs) => {
      const until = performance.now() + forMs;
      let kills = 0;
      while (performance.now() < until && kills < KILL_LIMIT) {
        await sleep(random.between(SHORTEST_LIFE_MS, LONGEST_PAUSE_MS));
        const slot = random.below(writers);
        await killRunning(slots[slot] as Program);
        slots[slot] = start();
        kills += 1;
      }
      return kills;
    },
    killAll: async () => void (await Promise.all(slots.map(killRunning))),
    stop: async () => {
      for (const slot of slots) slot.tell("stop");
      await Promise.all(slots.map((slot) => slot.finish()));
    },
    readLines: () => files.filter((file) => existsSync(file)).flatMap(readLines),
  };
}

/** A writer only ever ends because it is killed: one that has ended by itself met something that it should not meet. */
async function killRunning(program: Program): Promise<void> {
  const { code, signal } = await program.kill();
  if (signal !== "SIGKILL") throw new Error(`A writer ended by itself with ${code ?? signal}.\n${program.complaint()}`);
}
