import { type Machine, machineRoutes } from "@drover/contract";
import { sleep, systemTimer } from "../../ports/timer.ts";
import type { Session } from "../session.ts";

const PAUSE_MS = 300;

/**
 * Waits until each was looked at after what is known of it here, and answers with what was seen. Whoever stops waiting
 * gets what there is by then.
 */
export async function waitForLooks(
  { client, terminal }: Session,
  before: readonly Machine[],
): Promise<readonly Machine[]> {
  const stopped = new AbortController();
  const unlisten = terminal.onInterrupt(() => stopped.abort());
  const seen = new Map(before.map((machine) => [machine.name, machine]));
  const waiting = new Map(before.map(({ name, lookedTime }) => [name, lookedTime]));
  try {
    while (waiting.size > 0 && !stopped.signal.aborted) {
      await sleep(systemTimer, PAUSE_MS, stopped.signal);
      for (const [name, lookedTime] of waiting) {
        const machine = await client.call(machineRoutes.getMachine, { params: { name } });
        seen.set(name, machine);
        if (machine.lookedTime !== lookedTime && machine.state !== "Pending") waiting.delete(name);
      }
    }
  } finally {
    unlisten();
  }
  return [...seen.values()];
}
