import type {
  HostKeyOrigin,
  KeyOwner,
  MachineAccess,
  MachineFacts,
  MachineReason,
  MachineState,
  NewMachine,
} from "@drover/contract";
import type { LabelSelector } from "../../domain/labels.ts";
import type { Idempotency } from "./desired-store.ts";
import type { Actor, Labels, Page, Time } from "./records.ts";

export interface PinnedKey {
  readonly fingerprint: string;
  /** Null until the machine has shown it. */
  readonly type: string | null;
  readonly origin: HostKeyOrigin;
  readonly at: Time;
}

export interface OfferedKey {
  readonly of: KeyOwner;
  readonly fingerprint: string;
  readonly type: string;
}

export interface MachineRecord {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly access: Omit<MachineAccess, "address" | "port" | "labels">;
  readonly labels: Labels;
  /** Grows with every change of how it is reached; what If-Match compares. */
  readonly version: number;
  readonly hostKey: PinnedKey | null;
  readonly bastionHostKey: PinnedKey | null;
  readonly offeredKey: OfferedKey | null;
  readonly state: MachineState;
  readonly reason: MachineReason | null;
  readonly message: string;
  readonly lookedAt: Time | null;
  readonly facts: MachineFacts | null;
  readonly factsAt: Time | null;
  /** How many looks in a row have failed. */
  readonly failures: number;
  readonly createdAt: Time;
  readonly updatedAt: Time;
  readonly updatedBy: string;
}

/** What of a new machine another one has already; `at` counts within the list. */
export interface TakenPlace {
  readonly at: number;
  readonly what: "name" | "address";
  /** The machine that has it. */
  readonly by: string;
}

export interface MachineFilter {
  readonly selector?: LabelSelector;
  readonly scopes?: readonly LabelSelector[];
  readonly search?: string;
  readonly states?: readonly string[];
}

export interface MachinePlace {
  readonly address: string;
  readonly port: number;
}

/** Machines as people enrol and change them. Each write tells the event log and the audit log. */
export interface MachineStore {
  /** All or none: the names and addresses that are taken, when any is. */
  enrollMachines(
    actor: Actor,
    machines: readonly NewMachine[],
    options?: { readonly idempotency?: Idempotency },
  ): Promise<{ readonly machines: readonly MachineRecord[] } | { readonly taken: readonly TakenPlace[] }>;
  /** Null when there is none; `generation-conflict` when it is at another version than the one expected. */
  changeMachine(
    actor: Actor,
    change: { readonly name: string; readonly access: MachineAccess; readonly expectedVersion?: number },
  ): Promise<{ readonly machine: MachineRecord } | { readonly taken: TakenPlace } | null>;
  forgetMachine(actor: Actor, name: string): Promise<boolean>;
  /** Due at once. Null when there is none. */
  requestLook(actor: Actor, name: string): Promise<MachineRecord | null>;
  /** Pins what the machine has offered; `host-key-differs` when that is something else. Null when there is none. */
  acceptHostKey(
    actor: Actor,
    key: { readonly name: string; readonly of: KeyOwner; readonly fingerprint: string },
  ): Promise<MachineRecord | null>;
  /** What of these is taken now; enrolling looks again. */
  findTaken(machines: readonly NewMachine[]): Promise<readonly TakenPlace[]>;
  getMachine(name: string): Promise<MachineRecord | null>;
  /** By name. */
  listMachines(
    query: MachineFilter & { readonly limit: number; readonly after?: string },
  ): Promise<Page<MachineRecord>>;
  findByPlace(places: readonly MachinePlace[]): Promise<readonly MachineRecord[]>;
}

export interface MachineLookBatch {
  /** Names the claim; only with it can it be closed. */
  readonly token: number;
  readonly machines: readonly MachineRecord[];
}

/** What one look at a machine has shown. */
export interface MachineSeen {
  readonly id: string;
  /** Of the access by which it was seen. */
  readonly version: number;
  readonly state: MachineState;
  readonly reason: MachineReason | null;
  readonly message: string;
  /** Left out: those known before stay. */
  readonly facts?: MachineFacts;
  /** Keys that were met for the first time, or of which the type is known now. */
  readonly pin?: Partial<Record<KeyOwner, { readonly fingerprint: string; readonly type: string }>>;
  readonly offered: OfferedKey | null;
  readonly nextLookMs: number;
}

/** When to look at which machine, and what was seen: for workers. */
export interface MachineLookStore {
  /** Machines that are due. Nobody else gets them until they are saved or the lease ends. */
  claimMachines(options: { readonly limit: number; readonly leaseMs: number }): Promise<MachineLookBatch>;
  /** What was seen of a machine that was changed or claimed anew meanwhile is not kept. Answers the names of those kept. */
  saveSeen(token: number, seen: readonly MachineSeen[]): Promise<readonly string[]>;
  /** It was not looked at after all: due at once. */
  giveBack(token: number, id: string): Promise<void>;
  /** How long until the next is due; null when there is none. */
  nextMachineIn(): Promise<number | null>;
}
