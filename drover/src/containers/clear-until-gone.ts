import { DroverError } from "@drover/contract";
import { sleep, type Timer } from "../ports/timer.ts";

export interface Clearing<T> {
  /** What is to go and still there. */
  find(): Promise<readonly T[]>;
  remove(found: readonly T[]): Promise<void>;
  /** What people know one by. */
  nameOf(thing: T): string;
  /** A tool that was ended may have asked for more a moment before: looks twice, with a pause. */
  readonly aftermath: boolean;
}

/** How long what the tool had asked of Docker may take to come about. */
const AFTERMATH_MS = 700;
const MOST_ROUNDS = 20;

/** Removes, and is content only when it has looked again and found nothing. */
export async function clearUntilGone<T>(
  { find, remove, nameOf, aftermath }: Clearing<T>,
  timer: Timer,
  signal: AbortSignal,
): Promise<void> {
  let quiet = !aftermath;
  let found = await find();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (found.length > 0) await remove(found);
    else if (quiet) return;
    quiet = found.length === 0;
    if (quiet) await sleep(timer, AFTERMATH_MS, signal);
    signal.throwIfAborted();
    found = await find();
    if (!aftermath && found.length === 0) return;
  }
  throw new DroverError("objects-remain", `There is still: ${found.map(nameOf).join(", ")}.`);
}
