import { z } from "zod";
import { describe } from "./cluster/field.ts";
import { dnsLabel, host, labels } from "./cluster/scalars.ts";
import { hostKey, sshAccess } from "./cluster/ssh-nodes.ts";
import { machineFacts } from "./machine-facts.ts";
import { PROBLEMS, type ProblemCode } from "./problems.ts";
import { timestamp } from "./routes/common.ts";

/**
 * - `Pending`: nobody has looked at it since it was enrolled or its access was changed
 * - `Reachable`: it answered the last time, as root
 * - `Unreachable`: it could not be asked; what was known of it stays known
 * - `KeyChanged`: it showed another host key than the pinned one, and nothing was said to it
 * - `Denied`: it is there, but does not let us in, or not become root
 */
export const MACHINE_STATES = ["Pending", "Reachable", "Unreachable", "KeyChanged", "Denied"] as const;
export type MachineState = (typeof MACHINE_STATES)[number];

/** Why a machine is not Reachable; docs/errors.md tells what each means. */
export const MACHINE_REASONS = [
  "name-unknown",
  "no-route",
  "refused",
  "timed-out",
  "no-banner",
  "handshake-failed",
  "host-key-unknown",
  "host-key-changed",
  "credentials-unusable",
  "auth-refused",
  "no-session",
  "lost",
  "secret-missing",
  "sudo-refused",
  "script-failed",
] as const;
export type MachineReason = (typeof MACHINE_REASONS)[number];

export const MOST_MACHINES_AT_ONCE = 1000;

/** How a machine is reached, and what it is labelled with: everything of it that people may change. */
const access = {
  address: describe(host, "Where Drover reaches the machine."),
  ...sshAccess.shape,
  labels: describe(labels, "Labels of the machine, to select it by.").optional(),
};

export const machineAccess = z.strictObject(access);
export type MachineAccess = z.output<typeof machineAccess>;

export const newMachine = z.strictObject({
  name: describe(dnsLabel, "Name of the machine."),
  hostKey: describe(hostKey, "Fingerprint of its host key; the first one that it shows when left out.").optional(),
  ...access,
});
export type NewMachine = z.output<typeof newMachine>;

export const HOST_KEY_ORIGINS = ["given", "first-contact", "accepted"] as const;
export type HostKeyOrigin = (typeof HOST_KEY_ORIGINS)[number];

const pinnedKey = z.strictObject({
  fingerprint: z.string(),
  /** Null until the machine has shown it. */
  type: z.string().nullable(),
  /** Who said so: whoever enrolled it, the machine itself at the first contact, or somebody who accepted it since. */
  origin: z.enum(HOST_KEY_ORIGINS),
  pinnedTime: timestamp,
});

/** Whose host key it is. */
export const KEY_OWNERS = ["machine", "bastion"] as const;
export type KeyOwner = (typeof KEY_OWNERS)[number];

const offeredKey = z.strictObject({ of: z.enum(KEY_OWNERS), fingerprint: z.string(), type: z.string() });

/** Something about a machine that is in the way of a cluster. */
export const machineProblem = z.strictObject({
  machine: z.string(),
  /** Where in the document: `spec.ssh.nodes[1]`; empty when there is none. */
  path: z.string(),
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
  /** A cluster is not begun with errors; warnings are worth a look. */
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  next: z.string(),
  /** What mends it, to be run as root on the machine; null where no command does. */
  command: z.string().nullable(),
});
export type MachineProblem = z.output<typeof machineProblem>;

export const machine = z.strictObject({
  name: z.string(),
  ...machineAccess.shape,
  labels,
  version: z.int().min(1),
  hostKey: pinnedKey.nullable(),
  bastionHostKey: pinnedKey.nullable(),
  /** The key that it showed instead of the pinned one (state KeyChanged). */
  offeredHostKey: offeredKey.nullable(),
  state: z.enum(MACHINE_STATES),
  reason: z.enum(MACHINE_REASONS).nullable(),
  /** What was seen and what to do about it; empty when all is well. */
  message: z.string(),
  /** When somebody last tried to reach it. */
  lookedTime: timestamp.nullable(),
  facts: machineFacts.nullable(),
  factsTime: timestamp.nullable(),
  /** The cluster whose document names it, of those that one may see. */
  usedBy: z.strictObject({ cluster: z.string(), node: z.string() }).nullable(),
  /** What would be in the way of any cluster. */
  problems: z.array(machineProblem),
  enrolledTime: timestamp,
  updatedBy: z.string(),
  updatedTime: timestamp,
});
export type Machine = z.output<typeof machine>;
