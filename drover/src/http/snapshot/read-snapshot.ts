import { isInScope } from "../../app/caller.ts";
import { matchesLabels } from "../../domain/labels.ts";
import { readPageCursor, writePageCursor } from "../../domain/page-cursor.ts";
import { isReady } from "../../domain/phase.ts";
import { splitWords } from "../../domain/split-words.ts";
import type { ClusterFilter, ClusterSort, ListClusters, Page } from "../../ports/store/index.ts";
import type { Snapshot, SnapshotEntry } from "./cluster-snapshot.ts";

const SORT_VALUES: Readonly<Record<ClusterSort, (entry: SnapshotEntry) => string | number>> = {
  name: ({ name }) => name,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
  phase: ({ phase }) => phase,
};

/** As the store lists them, with cursors that lead on in either. */
export function listFromSnapshot({ entries }: Snapshot, query: ListClusters): Page<SnapshotEntry> {
  const { sort = "name", descending = false, limit, after } = query;
  const sortValue = SORT_VALUES[sort];
  const compare = (one: Place, other: Place) => comparePlaces(one, other) * (descending ? -1 : 1);
  const placeOf = (entry: SnapshotEntry): Place => ({ value: sortValue(entry), id: entry.id });
  const end =
    after === undefined ? null : readPageCursor(after, sort === "created" || sort === "updated" ? "number" : "string");
  const rest = entries
    .filter((entry) => meets(entry, query) && (end === null || compare(placeOf(entry), end) > 0))
    .sort((one, other) => compare(placeOf(one), placeOf(other)));
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined || rest.length <= limit ? null : writePageCursor(placeOf(last)) };
}

export function countFromSnapshot({ entries }: Snapshot, filter: ClusterFilter) {
  const counts = { total: 0, phases: {} as Record<string, number>, providers: {} as Record<string, number> };
  for (const { phase, provider } of entries.filter((entry) => meets(entry, filter))) {
    counts.total += 1;
    counts.phases[phase] = (counts.phases[phase] ?? 0) + 1;
    counts.providers[provider] = (counts.providers[provider] ?? 0) + 1;
  }
  return counts;
}

interface Place {
  readonly value: string | number;
  readonly id: string;
}

function comparePlaces(one: Place, other: Place): number {
  if (one.value !== other.value) return one.value < other.value ? -1 : 1;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

function isMeant(
  { name, phase, provider, modifiers }: SnapshotEntry,
  { text, called }: NonNullable<ClusterFilter["words"]>[number],
): boolean {
  return name.includes(text.toLowerCase()) || [phase, provider, ...modifiers].includes(called);
}

function meets(entry: SnapshotEntry, filter: ClusterFilter): boolean {
  const { scopes = [], selector = [], phases, modifiers, providers, search, words = [], onlyReady } = filter;
  return (
    isInScope(scopes, entry.labels) &&
    matchesLabels(selector, entry.labels) &&
    (phases === undefined || phases.includes(entry.phase)) &&
    (modifiers === undefined || modifiers.some((one) => entry.modifiers.includes(one))) &&
    (providers === undefined || providers.includes(entry.provider)) &&
    splitWords(search).every((word) => entry.name.includes(word.toLowerCase())) &&
    words.every((word) => isMeant(entry, word)) &&
    (onlyReady !== true || isReady(entry.phase))
  );
}
