import type { JobRecord, Store } from "../../ports/store/index.ts";
import { systemTimer, type Timer } from "../../ports/timer.ts";
import { ClusterDirectory, type KnownCluster } from "./cluster-directory.ts";
import { type EventItem, makeEventSource } from "./event-source.ts";
import { Feed, type FeedParts } from "./feed.ts";
import { type LogItem, makeLogSource } from "./log-source.ts";
import { ReadGate } from "./read-gate.ts";
import type { Viewer } from "./viewer.ts";

export const HEARTBEAT_MS = 15_000;
const CATCH_UP_READS = 4;

interface LogFeed {
  readonly feed: Feed<LogItem>;
  readonly clusterId: string;
  /** What each viewer may stay for: the labels of the cluster can change while somebody looks. */
  readonly mayStay: Map<Viewer<LogItem>, (cluster: KnownCluster | null) => boolean>;
}

/**
 * Everything that is streamed: one feed of events, and one for each log that somebody looks at. The store is read when
 * it says that there is something new, and with every heartbeat, should it have failed to say so. While nobody looks,
 * nothing is done.
 */
export class Live {
  readonly #store: Pick<Store, "read" | "wake">;
  readonly #parts: FeedParts;
  readonly #clusters: ClusterDirectory;
  readonly #logs = new Map<string, LogFeed>();
  #events: Feed<EventItem> | null = null;
  #stopTap: (() => void) | null = null;
  #stopWaking: (() => void) | null = null;
  #cancelBeat: (() => void) | null = null;
  #isClosed = false;

  constructor(store: Pick<Store, "read" | "wake">, onError: (error: unknown) => void, timer: Timer = systemTimer) {
    this.#store = store;
    this.#parts = { timer, onError, gate: new ReadGate(CATCH_UP_READS) };
    this.#clusters = new ClusterDirectory(store.read);
  }

  /** How many streams are open now. */
  get counts(): { readonly events: number; readonly logs: number } {
    const logs = [...this.#logs.values()].reduce((sum, { feed }) => sum + feed.viewers.size, 0);
    return { events: this.#events?.viewers.size ?? 0, logs };
  }

  watchEvents(viewer: Viewer<EventItem>): void {
    if (this.#isClosed) viewer.cut("restart");
    else this.#openEvents().join(viewer);
    viewer.onceClosed(() => this.#tidyUp());
  }

  followLog(job: JobRecord, viewer: Viewer<LogItem>, mayStay: (cluster: KnownCluster | null) => boolean): void {
    if (this.#isClosed) {
      viewer.cut("restart");
      return;
    }
    const log = this.#logs.get(job.id) ?? this.#openLog(job);
    log.mayStay.set(viewer, mayStay);
    log.feed.join(viewer);
    viewer.onceClosed(() => {
      log.mayStay.delete(viewer);
      this.#tidyUp();
    });
  }

  /** Ends all streams; whoever comes back goes on where it was. */
  close(): void {
    this.#isClosed = true;
    this.#events?.close();
    for (const { feed } of this.#logs.values()) feed.close();
    this.#stop();
  }

  #openEvents(): Feed<EventItem> {
    this.#start();
    this.#events ??= new Feed(makeEventSource(this.#store.read, this.#clusters), this.#parts);
    return this.#events;
  }

  #openLog({ id, clusterId }: JobRecord): LogFeed {
    const feed = new Feed(makeLogSource(this.#store.read, id), this.#parts);
    const log = { feed, clusterId, mayStay: new Map() };
    this.#logs.set(id, log);
    // Jobs end, and clusters get other labels: the events tell.
    this.#stopTap ??= this.#openEvents().tap((events) => this.#heed(events));
    return log;
  }

  #heed(events: readonly EventItem[]): void {
    for (const { record } of events) {
      const log = record.jobId === null ? undefined : this.#logs.get(record.jobId);
      if (log !== undefined && record.kind.startsWith("job.")) log.feed.look({ mayHaveEnded: true });
    }
    const clusters = new Map(events.map(({ record, cluster }) => [record.clusterId, cluster]));
    for (const { clusterId, mayStay } of this.#logs.values()) {
      const cluster = clusters.get(clusterId);
      if (cluster === undefined) continue;
      for (const [viewer, mayStillStay] of mayStay) {
        if (!mayStillStay(cluster)) viewer.cut("revoked");
      }
    }
  }

  #start(): void {
    if (this.#stopWaking !== null) return;
    const { wake } = this.#store;
    const stops = [
      wake.onWake("events", () => this.#events?.look()),
      wake.onWake("logs", () => {
        for (const { feed } of this.#logs.values()) feed.look();
      }),
    ];
    this.#stopWaking = () => {
      for (const stop of stops) stop();
    };
    this.#beatLater();
  }

  #beatLater(): void {
    this.#cancelBeat = this.#parts.timer.after(HEARTBEAT_MS, () => {
      // First the next one: a beat may end the last stream, and with it the heartbeats.
      this.#beatLater();
      this.#events?.beat();
      for (const { feed } of this.#logs.values()) feed.beat();
    });
  }

  #tidyUp(): void {
    for (const [id, { feed }] of this.#logs) {
      if (!feed.isIdle) continue;
      feed.close();
      this.#logs.delete(id);
    }
    if (this.#logs.size === 0) this.#untap();
    if (this.#events?.isIdle === true) this.#stop();
  }

  #untap(): void {
    this.#stopTap?.();
    this.#stopTap = null;
  }

  #stop(): void {
    this.#untap();
    this.#events?.close();
    this.#events = null;
    this.#stopWaking?.();
    this.#stopWaking = null;
    this.#cancelBeat?.();
    this.#cancelBeat = null;
    this.#clusters.forget();
  }
}
