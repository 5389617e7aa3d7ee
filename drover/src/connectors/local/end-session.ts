import { setTimeout as sleep } from "node:timers/promises";
import { readProcessTable } from "./process-table.ts";

/** How long a process may take to vanish after SIGKILL before it is given up: it hangs in the kernel, or is not ours. */
const KILL_WAIT_MS = 2000;
const FIRST_LOOK_MS = 5;
const LAST_LOOK_MS = 50;

/**
 * Ends all processes of a session: asks, and after the grace makes them. A session is looked at rather than a process
 * group because `timeout`, `sudo` and job control give groups of their own to what they start. Answers with the
 * processes that are still there in spite of all, of which there should be none.
 *
 * No number can be taken by a stranger meanwhile: the kernel does not hand out a process id that still names a group
 * or session with somebody in it.
 */
export async function endSession(session: number, graceMs: number): Promise<readonly number[]> {
  // A process that was stopped could not follow without SIGCONT.
  await signalSession(session, ["SIGTERM", "SIGCONT"]);
  let left = await waitUntilEmpty(session, graceMs);
  const deadline = performance.now() + KILL_WAIT_MS;
  while (left.length > 0 && performance.now() < deadline) {
    await signalSession(session, ["SIGKILL"]);
    left = await waitUntilEmpty(session, LAST_LOOK_MS);
  }
  return left;
}

/** The first group is told at once and in one call, during which nothing in it can start another process. */
async function signalSession(session: number, signals: readonly NodeJS.Signals[]): Promise<void> {
  for (const signal of signals) signalGroup(session, signal);
  const table = (await readProcessTable()) ?? [];
  const groups = new Set(table.filter((entry) => entry.session === session && entry.alive).map(({ group }) => group));
  groups.delete(session);
  for (const group of groups) for (const signal of signals) signalGroup(group, signal);
}

async function waitUntilEmpty(session: number, patienceMs: number): Promise<readonly number[]> {
  const deadline = performance.now() + patienceMs;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(2 * pause, LAST_LOOK_MS)) {
    const members = await listMembers(session);
    const left = deadline - performance.now();
    if (members.length === 0 || left <= 0) return members;
    await sleep(Math.min(pause, left));
  }
}

async function listMembers(session: number): Promise<readonly number[]> {
  const table = await readProcessTable();
  if (table === null) return signalGroup(session, 0) ? [session] : [];
  return table.filter((entry) => entry.session === session && entry.alive).map((entry) => entry.pid);
}

/** Whether there was somebody to tell. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // EPERM: somebody is there, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
