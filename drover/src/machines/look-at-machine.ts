import { DroverError, type KeyOwner, type MachineReason, type MachineState } from "@drover/contract";
import { type CommandError, isCommandError } from "../lib/command-error.ts";
import { isUnreachable, type UnreachableError } from "../lib/unreachable-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { ReachMachine, ShownKey } from "../ports/reach-machine.ts";
import type { SshTarget } from "../ports/ssh-target.ts";
import type { MachineRecord, MachineSeen, OfferedKey, PinnedKey } from "../ports/store/index.ts";
import { FACTS_SCRIPT } from "./facts/facts-script.ts";
import { parseFacts } from "./facts/parse-facts.ts";
import { meetHostKey } from "./meet-host-key.ts";
import { type CredentialSource, makeSshTarget } from "./ssh-access.ts";

export interface LookParts extends CredentialSource {
  readonly reach: ReachMachine;
  readonly clock: Clock;
  /** For the script, once the machine is reached. */
  readonly deadlineMs: number;
}

export type MachineLook = Omit<MachineSeen, "id" | "version" | "nextLookMs">;

/** What a machine may say; the newest is kept. */
const KEPT_BYTES = 512 * 1024;

type Pins = NonNullable<MachineSeen["pin"]>;

/**
 * Meets a machine: its key is pinned or compared before anything is said to it, then one command tells everything.
 * Answers whatever happens; only a look that was called off rejects.
 */
export async function lookAtMachine(
  given: LookParts,
  machine: MachineRecord,
  signal: AbortSignal,
): Promise<MachineLook> {
  const parts = { ...given, reach: untilCalledOff(given.reach, signal) };
  const pins: Pins = {};
  try {
    const target = await aim(parts, machine);
    for (const owner of ["bastion", "machine"] as const) {
      const met = await meet(parts, machine, withPins(target, pins), owner);
      if (met !== null && "offered" in met) return keyChanged(machine, met.offered);
      if (met !== null) pins[owner] = met.shown;
    }
    return { ...(await gather(parts, machine, withPins(target, pins), signal)), pin: pins };
  } catch (error) {
    signal.throwIfAborted();
    return { ...(await explain(parts, machine, error)), pin: pins };
  }
}

/** A key is waited for no longer than the look goes on. */
function untilCalledOff(reach: ReachMachine, signal: AbortSignal): ReachMachine {
  return {
    connect: (target, runAs) => reach.connect(target, runAs),
    fetchHostKey: (target, type) => reach.fetchHostKey(target, type, signal),
  };
}

async function aim(
  parts: LookParts,
  { address, port, access, hostKey, bastionHostKey }: MachineRecord,
): Promise<SshTarget> {
  const { user, credential, sudo, bastion } = access;
  const pinned = bastionHostKey?.fingerprint ?? bastion?.hostKey;
  const through = bastion === undefined ? undefined : { ...bastion, hostKey: pinned };
  const place = { address, port, user, hostKey: hostKey?.fingerprint ?? null };
  const target = await makeSshTarget(place, { credential, sudo, bastion: through }, parts);
  const asked = (at: SshTarget, pin: PinnedKey | null): SshTarget =>
    pin === null || pin.type === null ? at : { ...at, keyTypes: [pin.type] };
  const { via: bastionTarget } = target;
  return {
    ...asked(target, hostKey),
    ...(bastionTarget === undefined ? {} : { via: asked(bastionTarget, bastionHostKey) }),
  };
}

/** Null when it was met before: then the connection itself compares. */
async function meet(
  { reach }: LookParts,
  { hostKey, bastionHostKey }: MachineRecord,
  target: SshTarget,
  owner: KeyOwner,
): Promise<{ readonly shown: ShownKey } | { readonly offered: OfferedKey } | null> {
  const at = owner === "machine" ? target : target.via;
  const pin = owner === "machine" ? hostKey : bastionHostKey;
  if (at === undefined || (pin !== null && pin.type !== null)) return null;
  const { shown, isWanted } = await meetHostKey(reach, at, pin?.fingerprint ?? at.fingerprints?.[0] ?? null);
  return isWanted ? { shown } : { offered: { of: owner, ...shown } };
}

/** What was met just now is what the connection has to be with. */
function withPins(target: SshTarget, { machine, bastion }: Pins): SshTarget {
  const pinned = (at: SshTarget, shown: ShownKey | undefined): SshTarget =>
    shown === undefined ? at : { ...at, fingerprints: [shown.fingerprint], keyTypes: [shown.type] };
  return { ...pinned(target, machine), ...(target.via === undefined ? {} : { via: pinned(target.via, bastion) }) };
}

async function gather(
  { reach, clock, deadlineMs }: LookParts,
  { access }: MachineRecord,
  target: SshTarget,
  signal: AbortSignal,
): Promise<MachineLook> {
  const connector = reach.connect(target, access.sudo.mode === "none" ? "user" : "root");
  try {
    const sentAt = clock.now();
    const command = { argv: ["sh", "-c", FACTS_SCRIPT] } as const;
    const { stdout, stderr } = await connector.run(command, { signal, deadlineMs, keepBytes: KEPT_BYTES });
    const facts = parseFacts(stdout, { sentAt, answeredAt: clock.now() });
    if (facts !== null) return { state: "Reachable", reason: null, message: "", facts, offered: null };
    const said = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
    return failed(
      "Unreachable",
      "script-failed",
      `It told nothing of itself.${said === "" ? "" : ` It said: ${said}`}`,
    );
  } finally {
    await connector.close();
  }
}

const failed = (state: MachineState, reason: MachineReason, message: string): MachineLook => ({
  ...{ state, reason, message, offered: null },
});

/** Reasons for which the machine is there, but has no business with us. */
const DENIALS: ReadonlySet<MachineReason> = new Set(["auth-refused", "credentials-unusable", "no-session"]);

async function explain(parts: LookParts, machine: MachineRecord, error: unknown): Promise<MachineLook> {
  if (error instanceof DroverError && error.code === "secret-not-found")
    return failed("Denied", "secret-missing", error.message);
  const away = isUnreachable(error) ? error : isCommandError(error) && isUnreachable(error.cause) ? error.cause : null;
  if (away?.reason === "host-key-changed") return await explainChangedKey(parts, machine, away);
  if (away !== null) return failed(DENIALS.has(away.reason) ? "Denied" : "Unreachable", away.reason, away.message);
  if (isCommandError(error)) return explainCommand(error);
  return failed("Unreachable", "script-failed", (error as Error).message);
}

function explainCommand(error: CommandError): MachineLook {
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  switch (error.reason) {
    case "denied":
      return failed("Denied", "sudo-refused", why);
    case "timed-out":
      return failed("Unreachable", "timed-out", "It was reached, but did not tell of itself in time.");
    case "outcome-unknown":
      return failed("Unreachable", "lost", "The connection broke while it told of itself.");
    default:
      return failed("Unreachable", "script-failed", error.message);
  }
}

/** Whose key it was the connection does not tell, so both are asked once more. */
async function explainChangedKey(
  parts: LookParts,
  machine: MachineRecord,
  error: UnreachableError,
): Promise<MachineLook> {
  const target = await aim(parts, machine);
  for (const [owner, at] of [
    ["bastion", target.via],
    ["machine", target],
  ] as const) {
    if (at === undefined) continue;
    const { shown, isWanted } = await meetHostKey(parts.reach, at, at.fingerprints?.[0] ?? null);
    if (!isWanted) return keyChanged(machine, { of: owner, ...shown });
  }
  return failed("KeyChanged", "host-key-changed", error.message);
}

function keyChanged({ name, hostKey, bastionHostKey, access }: MachineRecord, offered: OfferedKey): MachineLook {
  const pin =
    (offered.of === "machine" ? hostKey : bastionHostKey)?.fingerprint ?? access.bastion?.hostKey ?? "another";
  const who = offered.of === "machine" ? "Its host key" : "The host key of its bastion";
  const of = offered.of === "machine" ? "" : " --bastion";
  const message = `${who} is ${offered.fingerprint}, but ${pin} is pinned. Nothing was run. If it was installed anew, compare the fingerprint on its console and accept it: \`drover machine accept-key ${name} ${offered.fingerprint}${of}\`; otherwise somebody may be in between.`;
  return { state: "KeyChanged", reason: "host-key-changed", message, offered };
}
