import type { Cluster, Phase } from "@drover/contract";
import { writeLine } from "../../app/imports/environment-row.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterBrief, ClusterRecord, Labels, ReadStore, WakeSource } from "../../ports/store/index.ts";
import { sleep, systemTimer, type Timer } from "../../ports/timer.ts";
import { presentCluster } from "../present/cluster.ts";
import { SnapshotFiles } from "./snapshot-files.ts";

/** A cluster as it was answered, and what lists are filtered and sorted by. */
export interface SnapshotEntry {
  readonly id: string;
  readonly name: string;
  readonly labels: Labels;
  readonly provider: string;
  readonly phase: Phase;
  readonly modifiers: ClusterRecord["modifiers"];
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly shown: Cluster;
  /** Of environments.csv. */
  readonly line: string;
}

export interface Snapshot {
  /** No change before this moment is missing. */
  readonly at: number;
  /** By name. */
  readonly entries: readonly SnapshotEntry[];
}

interface SnapshotParts {
  readonly store: { readonly read: ReadStore; readonly wake: WakeSource };
  readonly clock: Clock;
  readonly timer?: Timer;
  /** Where it also lies for people and scripts. */
  readonly file: string;
  readonly onError: (error: unknown) => void;
}

const PAGE = 200;
const EVERY_MS = 3_000;
/** A large fleet is read less often, so that reading it takes no more than this part of the time. */
const SHARE = 1 / 30;

/**
 * All clusters as they were a few seconds ago, for those who ask while the store cannot be reached. Read anew when
 * something has happened, page by page, so that neither the database nor this process is held up by it.
 */
export class ClusterSnapshot {
  readonly #parts: SnapshotParts;
  readonly #timer: Timer;
  readonly #stopping = new AbortController();
  #latest: Snapshot | null = null;
  #isStale = true;
  #wakeUp: (() => void) | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#timer = parts.timer ?? systemTimer;
  }

  /** Null until the first one is complete. */
  get latest(): Snapshot | null {
    return this.#latest;
  }

  start(): void {
    const stopListening = this.#parts.store.wake.onWake("events", () => {
      this.#isStale = true;
      this.#wakeUp?.();
    });
    this.#ended = this.#run().finally(stopListening);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp?.();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#untilStale();
      if (signal.aborted) return;
      const begin = this.#parts.clock.monotonic();
      this.#isStale = false;
      try {
        await this.#refresh();
      } catch (error) {
        this.#isStale = true;
        this.#parts.onError(error);
      }
      const took = this.#parts.clock.monotonic() - begin;
      await sleep(this.#timer, Math.max(EVERY_MS, took / SHARE), signal);
    }
  }

  async #untilStale(): Promise<void> {
    if (this.#isStale) return;
    await new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
    });
    this.#wakeUp = null;
  }

  async #refresh(): Promise<void> {
    const { clock, file: path } = this.#parts;
    const at = clock.now();
    const entries: SnapshotEntry[] = [];
    const file = await SnapshotFiles.create(path, at);
    try {
      for await (const page of this.#readPages()) {
        entries.push(...page);
        await file.append(page);
        if (this.#stopping.signal.aborted) return;
      }
      // Before the file: whoever sees that one can count on answers.
      this.#latest = { at, entries };
      await file.finish();
    } finally {
      await file.discard();
    }
  }

  async *#readPages(): AsyncGenerator<readonly SnapshotEntry[]> {
    const { read } = this.#parts.store;
    let after: string | null = null;
    do {
      const page = await read.listClusters({ limit: PAGE, ...(after === null ? {} : { after }) });
      const briefs = await read.briefClusters(page.items.map(({ id }) => id));
      yield page.items.map((record) => toEntry(record, briefs.get(record.id)));
      after = page.next;
    } while (after !== null);
  }
}

function toEntry(record: ClusterRecord, brief: ClusterBrief | undefined): SnapshotEntry {
  const { id, name, labels, provider, phase, modifiers, version, createdAt, updatedAt, spec } = record;
  return {
    ...{ id, name, labels, provider, phase, modifiers, version, createdAt, updatedAt },
    shown: presentCluster(record, brief),
    line: writeLine(name, spec, brief?.allocations),
  };
}
