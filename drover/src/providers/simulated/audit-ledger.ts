import type { LedgerRecord, TouchedObject } from "./ledger.ts";

export interface ClusterAudit {
  readonly clusterName: string;
  readonly creates: number;
  readonly deletes: number;
  /** What is there in the end. */
  readonly live: readonly TouchedObject[];
}

export interface Double {
  readonly clusterId: string;
  readonly kind: TouchedObject["kind"];
  readonly name: string;
  /** How many there were at once, at most. */
  readonly count: number;
  /** The line that made it two. */
  readonly line: number;
}

export interface LedgerAudit {
  readonly calls: number;
  /** Of clusters; nodes are not counted here. */
  readonly creates: number;
  readonly deletes: number;
  readonly clusters: ReadonlyMap<string, ClusterAudit>;
  /** I2: two of a thing at any time, also when one of them went away later. */
  readonly doubles: readonly Double[];
  /** I3: what is there and belongs to no cluster that is known. Only with a list of those. */
  readonly orphans: readonly TouchedObject[];
  /** Calls that came with a stale token and were turned away, as they should be. */
  readonly refused: readonly LedgerRecord[];
  /** I5: calls that came with a stale token and did something. */
  readonly staleEffects: readonly LedgerRecord[];
  /** Calls of ours that touched what others made. */
  readonly touchedForeign: readonly LedgerRecord[];
}

interface Tally {
  clusterName: string;
  creates: number;
  deletes: number;
  newestToken: number;
  readonly live: Map<string, TouchedObject>;
}

/**
 * Judges a whole ledger by what the records say happened, without the rules that made it happen: a cloud that forgot
 * keys or tokens is found out here.
 */
export function auditLedger(records: readonly LedgerRecord[], known?: ReadonlySet<string>): LedgerAudit {
  const tallies = new Map<string, Tally>();
  const doubles = new Map<string, Double>();
  const staleEffects: LedgerRecord[] = [];
  for (const record of records) {
    if (record.clusterId === null) continue;
    const tally = tallyOf(tallies, record.clusterId, record.clusterName);
    if (isStale(tally, record) && DOES_SOMETHING.has(record.effect)) staleEffects.push(record);
    tally.newestToken = Math.max(tally.newestToken, record.token ?? 0);
    count(tallies, tally, record);
    if (record.effect === "made" || record.call === "adopt-cluster") {
      for (const double of findDoubles(tally, record)) {
        const seen = doubles.get(keyOf(double));
        doubles.set(keyOf(double), { ...double, count: Math.max(double.count, seen?.count ?? 0) });
      }
    }
  }
  const audits = [...tallies].map(([id, { clusterName, creates, deletes, live }]): [string, ClusterAudit] => [
    id,
    { clusterName, creates, deletes, live: [...live.values()] },
  ]);
  const live = audits.flatMap(([, audit]) => audit.live);
  return {
    calls: records.length,
    creates: sum(audits.map(([, { creates }]) => creates)),
    deletes: sum(audits.map(([, { deletes }]) => deletes)),
    clusters: new Map(audits),
    doubles: [...doubles.values()],
    orphans: known === undefined ? [] : live.filter(({ clusterId }) => !known.has(clusterId ?? "")),
    refused: records.filter(({ effect }) => effect === "refused"),
    staleEffects,
    touchedForeign: records.filter(({ clusterId, objects }) => clusterId !== null && objects.some(isForeign)),
  };
}

const DOES_SOMETHING: ReadonlySet<string> = new Set(["made", "changed", "removed"]);

const isForeign = ({ clusterId }: TouchedObject): boolean => clusterId === null;

function isStale(tally: Tally, { token }: LedgerRecord): boolean {
  return token !== null && token < tally.newestToken;
}

function count(tallies: Map<string, Tally>, tally: Tally, { effect, objects, lost, call }: LedgerRecord): void {
  for (const object of objects) {
    if (effect === "made") {
      tally.live.set(object.id, object);
      if (object.kind === "cluster") tally.creates += 1;
    } else if (effect === "removed") {
      tally.live.delete(object.id);
      if (object.kind === "cluster") tally.deletes += 1;
    } else if (call === "adopt-cluster") {
      for (const other of tallies.values()) other.live.delete(object.id);
      tally.live.set(object.id, object);
    }
  }
  for (const { id } of lost) tally.live.delete(id);
}

function findDoubles(tally: Tally, record: LedgerRecord): readonly Double[] {
  return record.objects.flatMap(({ kind, name, clusterId }) => {
    const same = [...tally.live.values()].filter((object) => object.kind === kind && object.name === name);
    return same.length > 1 ? [{ clusterId: clusterId ?? "", kind, name, count: same.length, line: record.number }] : [];
  });
}

const keyOf = ({ clusterId, kind, name }: Double): string => `${clusterId} ${kind} ${name}`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function tallyOf(tallies: Map<string, Tally>, clusterId: string, clusterName: string): Tally {
  const known = tallies.get(clusterId);
  if (known !== undefined) return known;
  const made: Tally = { clusterName, creates: 0, deletes: 0, newestToken: 0, live: new Map() };
  tallies.set(clusterId, made);
  return made;
}
