import { watch } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { failpoint } from "../../lib/failpoint.ts";
import type { Clock } from "../../ports/clock.ts";
import type { WakeTopic } from "../../ports/store/index.ts";
import { closedError, type Db, type LifeSigns, type Session, type Tx, WAKE_TOPICS, WakeHub } from "../session.ts";
import { sqliteDialect } from "./dialect.ts";
import { isSqliteBusy, lockedError, translateSqliteError } from "./errors.ts";
import { kyselyOnSqlite } from "./kysely-driver.ts";
import type { RawDatabase } from "./raw-database.ts";

/** How many writes may share one commit; bounds how long the first of them waits. */
const GROUP_LIMIT = 256;
/** How often to look for commits of other processes, whatever is heard of them. */
const LOOK_MS = 250;
/** After the log was touched, when to look. It is written, and flushed to disk, before the commit can be seen. */
const SOON_MS = [1, 4, 16, 64];

interface Waiting {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Done {
  readonly waiting: Waiting;
  readonly value: unknown;
  readonly topics: ReadonlySet<WakeTopic>;
}

/**
 * Writes of one process are run one after the other, and those that wait at the same moment share one commit: each in
 * a savepoint of its own, so that one that fails takes none of the others with it. A write is answered only after the
 * commit that holds it, so acknowledged still means on disk.
 */
export class SqliteSession implements Session {
  readonly dialect;
  readonly wake = new WakeHub();
  readonly clock: Clock;
  readonly life: LifeSigns;
  readonly #file: string;
  readonly #patienceMs: number;
  readonly #writer: RawDatabase;
  readonly #reader: RawDatabase;
  readonly #openReader: () => RawDatabase;
  readonly #writerDb: Db;
  readonly #readerDb: Db;
  readonly #queue: Waiting[] = [];
  #draining: Promise<void> | null = null;
  #closed = false;
  #closing: Promise<void> | null = null;
  #stopWatching: () => void = () => {};

  constructor(options: {
    file: string;
    writer: RawDatabase;
    openReader: () => RawDatabase;
    clock: Clock;
    /** How long a write waits for other processes before it says that the file is locked. */
    patienceMs: number;
    life: LifeSigns;
  }) {
    this.clock = options.clock;
    this.life = options.life;
    this.#patienceMs = options.patienceMs;
    this.dialect = sqliteDialect(options.clock);
    this.#file = options.file;
    this.#writer = options.writer;
    this.#openReader = options.openReader;
    this.#reader = options.openReader();
    this.#writerDb = kyselyOnSqlite(options.writer, options.file);
    this.#readerDb = kyselyOnSqlite(this.#reader, options.file);
    this.#watchOthers();
  }

  /** The reader never writes: for it every commit is that of another connection. */
  async changeStamp(): Promise<string> {
    this.#assertOpen();
    const [row] = this.#reader.all("pragma data_version", []);
    return String(row?.["data_version"]);
  }

  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#assertOpen();
    return await work(this.#readerDb);
  }

  async snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const reader = this.#openReader();
    try {
      reader.exec("begin");
      return await work(kyselyOnSqlite(reader, this.#file));
    } finally {
      reader.close();
    }
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#closed = true;
    this.#stopWatching();
    await this.#draining;
    this.#reader.close();
    this.#emptyLog();
    this.#writer.close();
  }

  /** So that the file alone is the whole store once it is closed: libsql leaves the log as it is. */
  #emptyLog(): void {
    try {
      this.#writer.exec("pragma wal_checkpoint(truncate)");
    } catch {
      // Somebody else has it open, or the disk is full: nothing is lost, the log is read with the file.
    }
  }

  async #drain(): Promise<void> {
    // Let everything that is about to be written this turn get into the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) await this.#commitGroup(this.#queue.splice(0, GROUP_LIMIT));
    this.#draining = null;
  }

  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    let done: Done[];
    try {
      await this.#begin();
      done = await this.#runGroup(group);
      failpoint("store.before-commit");
      this.#raw("commit");
      failpoint("store.after-commit");
    } catch (error) {
      this.#abandon();
      for (const waiting of group) waiting.reject(error);
      return;
    }
    const topics = new Set<WakeTopic>();
    for (const { waiting, value, topics: touched } of done) {
      for (const topic of touched) topics.add(topic);
      waiting.resolve(value);
    }
    this.wake.fire(topics);
  }

  async #runGroup(group: readonly Waiting[]): Promise<Done[]> {
    const done: Done[] = [];
    for (const waiting of group) {
      const topics = new Set<WakeTopic>();
      this.#raw("savepoint one_write");
      try {
        const value = await waiting.work({
          db: this.#writerDb,
          dialect: this.dialect,
          wake: (topic) => void topics.add(topic),
        });
        this.#raw("release one_write");
        done.push({ waiting, value, topics });
      } catch (error) {
        try {
          this.#raw("rollback to one_write");
          this.#raw("release one_write");
        } catch {
          // A full disk or a damaged file has ended the whole transaction: the group fails whole, and by this error.
          throw error;
        }
        waiting.reject(error);
      }
    }
    return done;
  }

  /** Waits for other processes without holding up this one's event loop. */
  async #begin(): Promise<void> {
    const deadline = this.clock.monotonic() + this.#patienceMs;
    for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
      try {
        this.#writer.exec("begin immediate");
        return;
      } catch (error) {
        if (!isSqliteBusy(error)) throw translateSqliteError(error, this.#file);
        if (this.clock.monotonic() >= deadline) throw lockedError(this.#file, error);
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  }

  #raw(statement: string): void {
    try {
      this.#writer.exec(statement);
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }

  #abandon(): void {
    try {
      this.#writer.exec("rollback");
    } catch {
      // SQLite has rolled back by itself: there is nothing left to undo.
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError();
  }

  /** Commits of other processes show in the write-ahead log; our own are told apart by `data_version`. */
  #watchOthers(): void {
    const version = () => Number(this.#writer.all("pragma data_version", [])[0]?.["data_version"]);
    let seen = version();
    const look = () => {
      if (this.#closed) return;
      const now = version();
      if (now === seen) return;
      seen = now;
      this.wake.fire(WAKE_TOPICS);
    };
    const regularly = setInterval(look, LOOK_MS).unref();
    const stopListening = this.#listenToLog(look);
    this.#stopWatching = () => {
      clearInterval(regularly);
      stopListening();
    };
  }

  /** Where files cannot be watched, looking regularly has to do. */
  #listenToLog(look: () => void): () => void {
    let soon: NodeJS.Timeout | undefined;
    const lookSoon = (round: number) => {
      clearTimeout(soon);
      const delay = SOON_MS[round];
      if (delay === undefined) return;
      soon = setTimeout(() => {
        look();
        lookSoon(round + 1);
      }, delay).unref();
    };
    try {
      const watcher = watch(`${this.#file}-wal`, { persistent: false }, () => lookSoon(0));
      watcher.on("error", () => watcher.close());
      return () => {
        clearTimeout(soon);
        watcher.close();
      };
    } catch {
      return () => {};
    }
  }
}
