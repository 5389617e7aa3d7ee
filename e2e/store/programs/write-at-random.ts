// Writes everything that can be written, in an order that a seed decides, and writes down each answer after it came.
import { openSync, writeSync } from "node:fs";
import { connectToParent } from "../support/parent.ts";
import { seededRandom } from "../support/random.ts";
import { openSharedStore } from "../support/store.ts";
import { cancel, declare, remove, request } from "../writer/change-clusters.ts";
import { type Lane, makeLane } from "../writer/lane.ts";
import { work } from "../writer/run-job.ts";
import { count, deliverMessages, keepSecret, noteAudit, sendMessage } from "../writer/side-writes.ts";

export interface WriterInput {
  readonly url: string;
  /** Different for every process that was ever started. */
  readonly writer: string;
  readonly seed: number;
  readonly file: string;
}

const LANES = 3;

/** What a lane does next, each as often as it is named. */
const CHOICES: readonly ((lane: Lane) => Promise<void>)[] = [
  ...[declare, declare, declare, declare, remove, request, cancel],
  ...[work, work, work, work, work, work],
  ...[keepSecret, sendMessage, deliverMessages, count, noteAudit],
];

const parent = connectToParent<WriterInput>();
const { url, writer, seed, file } = parent.input;
const handle = openSync(file, "a");
const random = seededRandom(seed).fork(writer);
const store = await openSharedStore(url);
let stopped = false;
void parent.told("stop").then(() => {
  stopped = true;
});

async function runLane(name: string): Promise<void> {
  const lane = makeLane({
    name,
    store,
    random: random.fork(name),
    worker: { id: writer, host: "h1", providers: ["simulated"], hostBound: [] },
    // Handed to the kernel before the next write begins: killing this process cannot take it back.
    write: (line) => void writeSync(handle, `${JSON.stringify({ at: Date.now(), writer, ...line })}\n`),
  });
  while (!stopped) await lane.random.pick(CHOICES)(lane);
}

parent.say("writing");
await Promise.all(Array.from({ length: LANES }, (_, number) => runLane(`${writer}.${number}`)));
await store.close();
parent.leave();
