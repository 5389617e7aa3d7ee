import { DroverError, isDroverError } from "@drover/contract";
import type { ReadStore } from "../../ports/store/index.ts";
import { ClusterDirectory } from "./cluster-directory.ts";
import { type EventFilter, keepsEvent, presentEvent } from "./event-source.ts";

interface ListQuery {
  readonly after: number | undefined;
  readonly limit: number;
}

const PAGE_EVENTS = 500;
/** How far one call goes when the filter leaves almost everything out; the cursor tells where to go on. */
const MOST_PAGES = 20;

/** Events after a cursor, or from the oldest that are kept, and the cursor up to which there is nothing more to see. */
export async function listEvents(read: ReadStore, filter: EventFilter, { after, limit }: ListQuery) {
  const clusters = new ClusterDirectory(read);
  const items: ReturnType<typeof presentEvent>[] = [];
  let cursor = after ?? (await findStart(read));
  for (let page = 0; page < MOST_PAGES && items.length < limit; page++) {
    const { events, cursor: upTo } = await read.readEvents({ after: cursor, limit: PAGE_EVENTS });
    if (upTo === cursor) break;
    const known = await clusters.find(events);
    const kept = events.filter((record) => keepsEvent(filter, { record, cluster: known(record) }));
    const given = kept.slice(0, limit - items.length);
    items.push(...given.map((record) => presentEvent(record, known(record))));
    cursor = given.length < kept.length ? (given.at(-1)?.cursor ?? cursor) : upTo;
  }
  if (items.length === 0 && cursor === after) await assertReached(read, cursor);
  return { items, cursor };
}

/** A cursor beyond the newest event is one of another history: of a store from before a restore. */
async function assertReached(read: ReadStore, cursor: number): Promise<void> {
  if (cursor === 0 || cursor <= (await read.lastEventCursor())) return;
  throw new DroverError("event-cursor-expired", `There is no event ${cursor}: the cursor is of another history.`);
}

async function findStart(read: ReadStore): Promise<number> {
  try {
    await read.readEvents({ after: 0, limit: 1 });
    return 0;
  } catch (error) {
    const oldest = isDroverError(error) && error.code === "event-cursor-expired" ? error.details.oldest : undefined;
    if (typeof oldest === "number") return oldest - 1;
    throw error;
  }
}
