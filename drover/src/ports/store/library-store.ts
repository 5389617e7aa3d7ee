import type { Idempotency } from "./desired-store.ts";
import type { Actor, Json, Time } from "./records.ts";

export type LibraryKind = "template" | "group" | "view";

export interface LibraryEntry {
  readonly kind: LibraryKind;
  readonly name: string;
  /** Grows with every change; what If-Match compares. */
  readonly version: number;
  readonly body: Json;
  readonly updatedAt: Time;
  readonly updatedBy: string;
}

/** What people keep beside clusters: templates, groups, saved views. Each write tells the event log and the audit log. */
export interface LibraryStore {
  getEntry(kind: LibraryKind, name: string): Promise<LibraryEntry | null>;
  /** By name. */
  listEntries(kind: LibraryKind): Promise<readonly LibraryEntry[]>;
  /** Null when the name is taken. */
  createEntry(
    actor: Actor,
    entry: { kind: LibraryKind; name: string; body: Json; idempotency?: Idempotency },
  ): Promise<LibraryEntry | null>;
  /** Null when there is none; `generation-conflict` when it is at another version than the one expected. */
  replaceEntry(
    actor: Actor,
    entry: { kind: LibraryKind; name: string; body: Json; expectedVersion?: number },
  ): Promise<LibraryEntry | null>;
  deleteEntry(actor: Actor, kind: LibraryKind, name: string): Promise<boolean>;
}
