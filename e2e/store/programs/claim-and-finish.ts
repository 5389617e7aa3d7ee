// One of several workers on one store: claims and finishes jobs until there are none.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../../drover/src/ports/store/index.ts";
import { connectToParent } from "../support/parent.ts";
import { seededRandom } from "../support/random.ts";
import { openSharedStore } from "../support/store.ts";

export interface ClaimInput {
  readonly url: string;
  readonly workerId: string;
  readonly seed: number;
  /** Where every claim is written down: one line per job, id and token. */
  readonly file: string;
}

const CLAIMED_AT_ONCE = 40;
const LEASE_MS = 120_000;

const isEverythingDone = async (store: Store): Promise<boolean> =>
  (await store.read.listJobs({ states: ["Pending", "Processing"], limit: 1 })).items.length === 0;

/** Answers how many jobs the store took as finished. */
async function claimAll(store: Store, input: ClaimInput): Promise<number> {
  const random = seededRandom(input.seed).fork(input.workerId);
  const worker = { id: input.workerId, host: "h1", providers: ["simulated"], hostBound: [] };
  let finished = 0;
  for (;;) {
    const limit = random.between(1, CLAIMED_AT_ONCE);
    const claimed = await store.jobs.claimJobs(worker, { limit, leaseMs: LEASE_MS });
    if (claimed.length === 0) {
      if (await isEverythingDone(store)) return finished;
      await sleep(random.between(1, 20));
      continue;
    }
    appendFileSync(input.file, claimed.map(({ ref }) => `${ref.jobId} ${ref.token}\n`).join(""));
    const ended = await store.jobs.finishJobs(claimed.map(({ ref }) => ({ ref, state: "Succeeded" })));
    if (ended.length < claimed.length) throw new Error(`Of ${claimed.length} claimed jobs ${ended.length} were ours.`);
    finished += ended.length;
  }
}

const parent = connectToParent<ClaimInput>();
const store = await openSharedStore(parent.input.url);
parent.say("ready");
await parent.told("claim");
parent.say("finished", await claimAll(store, parent.input));
await store.close();
parent.leave();
