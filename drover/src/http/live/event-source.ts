import { isInScope } from "../../app/caller.ts";
import { formatLabelSelector, type LabelSelector, matchesLabels } from "../../domain/labels.ts";
import type { EventRecord, ReadStore } from "../../ports/store/index.ts";
import { toTime } from "../present/time.ts";
import type { ClusterDirectory, KnownCluster } from "./cluster-directory.ts";
import type { FeedSource } from "./feed.ts";
import type { Placed, View } from "./frame.ts";
import { sseBlock } from "./sse.ts";

/** An event with what is known of its cluster now, and already written down. */
export interface EventItem extends Placed {
  readonly record: EventRecord;
  readonly cluster: KnownCluster | null;
  readonly json: string;
}

export const presentEvent = (
  { cursor, at, kind, clusterName, jobId, body }: EventRecord,
  cluster: KnownCluster | null,
) => ({
  ...{ cursor, time: toTime(at), kind },
  cluster: cluster?.name ?? clusterName,
  ...{ jobId, body },
});

/** Everything that happens, without end. */
export function makeEventSource(read: ReadStore, clusters: ClusterDirectory): FeedSource<EventItem> {
  return {
    isBounded: true,
    read: async (after, limit) => {
      const { events, cursor } = await read.readEvents({ after, limit });
      const known = await clusters.find(events);
      return { items: events.map((record) => toItem(record, known(record))), upTo: cursor };
    },
    newest: () => read.lastEventCursor(),
    ending: async () => null,
  };
}

function toItem(record: EventRecord, cluster: KnownCluster | null): EventItem {
  const json = JSON.stringify(presentEvent(record, cluster));
  return { place: record.cursor, size: json.length, record, cluster, json };
}

export interface EventFilter {
  /** Of whoever looks: what they may see at all. */
  readonly scopes: readonly LabelSelector[];
  readonly cluster?: string | undefined;
  readonly selector?: LabelSelector | undefined;
}

/**
 * What is of no cluster, or of one whose labels nobody knows any more, is only for those who may see everything and
 * asked for it.
 */
export function keepsEvent(
  { scopes, cluster, selector }: EventFilter,
  item: Pick<EventItem, "record" | "cluster">,
): boolean {
  if (cluster !== undefined && cluster !== (item.cluster?.name ?? item.record.clusterName)) return false;
  if (scopes.length === 0 && selector === undefined) return true;
  if (item.cluster === null) return false;
  const { labels } = item.cluster;
  return isInScope(scopes, labels) && (selector === undefined || matchesLabels(selector, labels));
}

export function makeEventView(filter: EventFilter): View<EventItem> {
  const { scopes, cluster, selector } = filter;
  return {
    key: JSON.stringify([
      scopes.map(formatLabelSelector),
      cluster ?? null,
      selector === undefined ? null : formatLabelSelector(selector),
    ]),
    encode: (items) => {
      const kept = items.filter((item) => keepsEvent(filter, item));
      if (kept.length === 0) return null;
      return Buffer.from(kept.map(({ place, json }) => sseBlock({ id: place, data: json })).join(""));
    },
  };
}
