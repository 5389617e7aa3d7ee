import { DroverError } from "@drover/contract";
import type { Expression, Kysely, RawBuilder } from "kysely";
import type { Clock } from "../ports/clock.ts";
import type { Json, WakeSource, WakeTopic } from "../ports/store/index.ts";
import type { Database } from "./database.ts";
import type { DatabaseKind } from "./migrations/index.ts";

export type Db = Kysely<Database>;

/** A write in the making. Everything done through `db` becomes durable together, or not at all. */
export interface Tx {
  readonly db: Db;
  readonly dialect: Dialect;
  /** Whom to wake once it is committed. */
  wake(topic: WakeTopic): void;
}

/** The column types that `Dialect.rows` can spell. */
export type ColumnType = "text" | "bigint";

/** What the two databases say differently. Nothing else may ask which one it is. */
export interface Dialect {
  readonly kind: DatabaseKind;
  /** Wall time in milliseconds. PostgreSQL's own clock; for SQLite the host's, which is the same thing. */
  now(): Expression<number>;
  /** The clock that leases run on: one that never jumps, shared by everybody who can see the leases. */
  leaseNow(): Expression<number>;
  /** ` for update` where rows are locked one by one; nothing where a writer is alone anyway. */
  readonly forUpdate: RawBuilder<unknown>;
  readonly forShare: RawBuilder<unknown>;
  readonly forUpdateSkipLocked: RawBuilder<unknown>;
  /** A list of objects as a table expression, given in one parameter. */
  rows(list: readonly object[], columns: Readonly<Record<string, ColumnType>>): RawBuilder<unknown>;
}

/**
 * Text that both databases take: PostgreSQL has no place for NUL nor for half a character. What programs print, and
 * so the errors of jobs, may hold both.
 */
export const storableText = (text: string): string => text.replace(/\0|[\ud800-\udfff]/gu, "\ufffd");

/** A list as JSON for `Dialect.rows`, with nothing in it that is not storable. */
export function rowsAsJson(list: readonly object[]): string {
  const json = JSON.stringify(list);
  if (!/\\u(0000|d[89a-f])/.test(json)) return json;
  return JSON.stringify(list, (_, value: unknown) => (typeof value === "string" ? storableText(value) : value));
}

/** Looked at before a store that exists is written to in any way; throws when the opener must not have it. */
export interface SettingGuard {
  readonly key: string;
  check(value: string): void;
}

/** What shows that the process of a worker lives, and goes away with it. */
export interface LifeSigns {
  /** Until `hide`, or the end of the process. Answers what others know it by; null while nobody could see it. */
  show(workerId: string): Promise<Json | null>;
  hide(workerId: string): Promise<void>;
  /** Calls back when signs were lost, or are back, without the process having ended. */
  onChange(listener: () => void): void;
  /** Those whose sign is gone. Asked within a write, none of them comes back before its end. */
  findGone(db: Db, workers: readonly SignedWorker[]): Promise<readonly string[]>;
}

export interface SignedWorker {
  readonly id: string;
  readonly sign: Json;
}

/** One open database: how everything in queries/ reaches it. */
export interface Session {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly wake: WakeSource;
  readonly life: LifeSigns;
  /** Another one as soon as anybody has committed anything. */
  changeStamp(): Promise<string>;
  /** Sees only what is committed. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Like `read`, but all of its queries see one and the same moment. For long walks over everything. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** `work` may run again when the database asks for it, so it must do nothing but database work. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Listeners by topic, and the topics touched by writes that are not committed yet. */
export class WakeHub implements WakeSource {
  readonly #listeners = new Map<WakeTopic, Set<() => void>>();

  onWake(topic: WakeTopic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  fire(topics: Iterable<WakeTopic>): void {
    for (const topic of topics) for (const listener of this.#listeners.get(topic) ?? []) this.#call(listener);
  }

  /** Whoever is woken cannot undo what woke it: the write is committed, and the others are to hear of it. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

export const WAKE_TOPICS = ["jobs", "events", "logs", "outbox", "machines"] as const satisfies readonly WakeTopic[];

export const closedError = () => new DroverError("store-unreachable", "The store is closed.");
