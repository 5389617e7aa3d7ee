import type { Store } from "../../../drover/src/ports/store/index.ts";
import type { SharedDatabase } from "../support/databases.ts";
import { actor, openSharedStore } from "../support/store.ts";
import type { Acknowledged, Line } from "../writer/acknowledgement.ts";
import { checkAcknowledged } from "./check-acknowledged.ts";
import { checkInvariants, checkWhole } from "./check-invariants.ts";
import type { Follower } from "./follow-events.ts";
import { drainOutbox, takeOver } from "./take-over.ts";
import { readWorld } from "./world.ts";

export interface Verdict {
  readonly complaints: readonly string[];
  readonly acknowledged: number;
  readonly refusals: Readonly<Record<string, number>>;
  readonly figures: string;
}

interface Finding {
  readonly complaints: readonly string[];
  readonly figures: string;
}

/** Nobody who comes after the dead waits for them longer than this. */
const AT_ONCE_MS = 2_000;
const CHECKED_AT_ONCE = 200;

/** Looks at the store after all writers have ended, with eyes of its own. */
export async function verifyRun(
  database: SharedDatabase,
  lines: readonly Line[],
  follower?: Follower,
): Promise<Verdict> {
  const acks = lines.filter((line): line is Line & Acknowledged => line.op !== "refused" && line.op !== "unexpected");
  const refusals = countBy(lines.flatMap((line) => (line.op === "refused" ? [line.code] : [])));
  const opening = performance.now();
  const store = await openSharedStore(database.url);
  try {
    const findings = [
      await writeAtOnce(store, opening),
      { complaints: await checkInvariants(database), figures: "" },
      await outliveTheDead(store, database),
      { complaints: await checkOutbox(store, database, acks), figures: "" },
      await finishFollowing(follower),
      { complaints: await checkAll(store, database, acks), figures: "" },
    ];
    const unexpected = lines.flatMap((line) =>
      line.op === "unexpected" ? [`${line.writer} could not ${line.what}: ${line.error}`] : [],
    );
    const verified = `${acks.length} acknowledged writes verified (${format(countBy(acks.map(({ op }) => op)))})`;
    return {
      complaints: [...unexpected, ...findings.flatMap(({ complaints }) => complaints)],
      acknowledged: acks.length,
      refusals,
      figures: [verified, ...findings.map(({ figures }) => figures), `refused: ${format(refusals)}`]
        .filter((figure) => figure !== "")
        .join("; "),
    };
  } finally {
    await store.close();
  }
}

async function writeAtOnce(store: Store, opening: number): Promise<Finding> {
  await store.audit.recordAudit(actor, { action: "e2e.note", objectKind: "note", objectName: "first after the dead" });
  const ms = Math.round(performance.now() - opening);
  return {
    complaints: ms > AT_ONCE_MS ? [`opening the store and writing once took ${ms} ms: something was left locked`] : [],
    figures: `first write after ${ms} ms`,
  };
}

async function outliveTheDead(store: Store, database: SharedDatabase): Promise<Finding> {
  const held = await database.query("select id from jobs where state = 'Processing'");
  const { jobIds, finished, ms } = await takeOver(store);
  const left = held.filter(({ id }) => !jobIds.has(String(id)));
  return {
    complaints: left.map(({ id }) => `the job ${id} was held by a dead worker and not taken over`),
    figures: `${held.length} jobs of the dead taken over, ${finished} finished, within ${Math.round(ms)} ms`,
  };
}

/** What was delivered is not delivered again; what was not is. */
async function checkOutbox(
  store: Store,
  database: SharedDatabase,
  acks: readonly Acknowledged[],
): Promise<readonly string[]> {
  const findLeft = () => database.query("select id from outbox where delivered_at is null limit 1");
  const drained = new Set(await drainOutbox(store, async () => (await findLeft()).length > 0));
  const again = acks.filter((ack) => ack.op === "delivered" && drained.has(ack.id));
  return again.map((ack) => `delivered again: ${JSON.stringify(ack)}`);
}

async function finishFollowing(follower: Follower | undefined): Promise<Finding> {
  if (follower === undefined) return { complaints: [], figures: "" };
  const { seen, complaints } = await follower.finish();
  return { complaints, figures: `${seen} events followed` };
}

async function checkAll(
  store: Store,
  database: SharedDatabase,
  acks: readonly Acknowledged[],
): Promise<readonly string[]> {
  const world = await readWorld(store, database);
  const complaints: string[] = [];
  for (let from = 0; from < acks.length; from += CHECKED_AT_ONCE) {
    const some = acks.slice(from, from + CHECKED_AT_ONCE);
    complaints.push(...(await Promise.all(some.map((ack) => checkAcknowledged(world, ack)))).flat());
  }
  return [...complaints, ...(await checkWhole(store, world, acks)), ...(await checkInvariants(database))];
}

function countBy(list: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of list) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}

const format = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ") || "nothing";
