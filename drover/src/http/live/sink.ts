/** Why a stream is ended before its time. */
export type CutReason = "revoked" | "restart" | "stalled";

/** Where the bytes of one viewer go. */
export interface Sink {
  /** Bytes that the system has not taken yet. */
  readonly buffered: number;
  write(bytes: Buffer): void;
  /** Calls back once, when everything that was written is taken. Only after more than `HIGH_WATER_BYTES` was buffered. */
  onceDrained(callback: () => void): void;
  onceClosed(callback: () => void): void;
  /** Sends what is buffered, then closes. */
  finish(): void;
  /** Closes at once; what is buffered may be lost, and whoever comes back reads it from the store. */
  cut(reason: CutReason): void;
}

/**
 * A viewer with more than this buffered gets nothing more until all of it is taken. Far above the marks of Node's own
 * streams, which promise a `drain` only above those.
 */
export const HIGH_WATER_BYTES = 256 * 1024;
