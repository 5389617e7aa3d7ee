import type { SendFileOptions } from "./send-file.ts";

/** Where a machine lends files, and how another one makes itself known there. Holds a secret. */
export interface LendingOffer {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** As in a file of known hosts, without the name. */
  readonly hostKey: string;
  /** Good for reading what is lent, and for nothing else. */
  readonly privateKey: string;
}

/** What one machine lends to others. Ends with this process and with the connection, however these end. */
export interface Lending {
  /**
   * Others may fetch this file from now on, also when it has gone from its name. False when that cannot be, or would
   * take room that the machine needs.
   */
  add(path: string, sha256: string): Promise<boolean>;
  /** Opened at the first question. Rejects where the machine cannot lend. */
  offer(): Promise<LendingOffer>;
  /** Leaves nothing behind. Never rejects. */
  end(): Promise<void>;
}

export interface BorrowFileOptions extends Omit<SendFileOptions, "sha256"> {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * What a connector may have beside the port: a machine gets a file from another machine instead of from here. It is
 * written, checked and renamed as by `SendsFiles.sendFile`.
 */
export interface LendsFiles {
  /** The folder is made for it, below one that exists. Nothing is done before something is lent. */
  lendFiles(folder: string): Lending;
  /** Rejects with a `FileError`, soon when the other machine does not answer; then nothing of it is there. */
  borrowFile(offer: LendingOffer, to: string, options: BorrowFileOptions): Promise<void>;
}
