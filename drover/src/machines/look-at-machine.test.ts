import { expect, it } from "vitest";
import { systemClock } from "../ports/clock.ts";
import type { ReachMachine } from "../ports/reach-machine.ts";
import type { MachineRecord } from "../ports/store/index.ts";
import { lookAtMachine } from "./look-at-machine.ts";

const machine = {
  name: "away",
  address: "192.0.2.1",
  port: 22,
  access: { user: "root", credential: { name: "key" }, sudo: { mode: "none" } },
  hostKey: null,
  bastionHostKey: null,
} as MachineRecord;

it("waits for the key of a machine no longer than it may look", async () => {
  const calledOff = new AbortController();
  const reach: ReachMachine = {
    connect: () => {
      throw new Error("Nothing may be said to it.");
    },
    fetchHostKey: (_target, _type, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        calledOff.abort(new Error("Called off."));
      }),
  };
  const readSecret = async () => Buffer.from(JSON.stringify({ password: "secret" }));
  const looking = lookAtMachine(
    { reach, readSecret, clock: systemClock, deadlineMs: 1_000 },
    machine,
    calledOff.signal,
  );
  await expect(looking).rejects.toThrow("Called off.");
});
