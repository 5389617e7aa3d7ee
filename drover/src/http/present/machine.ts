import type { Machine } from "@drover/contract";
import type { ShownMachine } from "../../app/machines/read-machines.ts";
import type { PinnedKey } from "../../ports/store/index.ts";
import { toTime, toTimeOrNull } from "./time.ts";

export function presentMachine({ machine, usedBy, problems }: ShownMachine): Machine {
  const { name, address, port, access, labels, version, state, reason, message } = machine;
  return {
    ...{ name, address, port, ...access, labels: { ...labels }, version },
    hostKey: presentPin(machine.hostKey),
    bastionHostKey: presentPin(machine.bastionHostKey),
    offeredHostKey: machine.offeredKey === null ? null : { ...machine.offeredKey },
    ...{ state, reason, message },
    lookedTime: toTimeOrNull(machine.lookedAt),
    facts: machine.facts,
    factsTime: toTimeOrNull(machine.factsAt),
    usedBy: usedBy === null ? null : { ...usedBy },
    problems: [...problems],
    enrolledTime: toTime(machine.createdAt),
    updatedBy: machine.updatedBy,
    updatedTime: toTime(machine.updatedAt),
  };
}

const presentPin = (pin: PinnedKey | null): Machine["hostKey"] =>
  pin === null
    ? null
    : { fingerprint: pin.fingerprint, type: pin.type, origin: pin.origin, pinnedTime: toTime(pin.at) };
