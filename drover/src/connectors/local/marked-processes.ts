import { readFile } from "node:fs/promises";
import { endSession } from "./end-session.ts";
import { type ProcessEntry, readProcessTable } from "./process-table.ts";

/** What a command is started with carries its mark, and so does whatever that starts. */
export const MARK_VARIABLE = "DROVER_MARK";

/** Those of other users cannot be read, and are not ours. Where the system does not tell, there are none. */
export async function findMarkedProcesses(mark: string): Promise<readonly ProcessEntry[]> {
  const alive = ((await readProcessTable()) ?? []).filter((entry) => entry.alive && entry.pid !== process.pid);
  const wanted = `${MARK_VARIABLE}=${mark}`;
  const marked = await Promise.all(alive.map(async ({ pid }) => (await readEnvironment(pid)).includes(wanted)));
  return alive.filter((_, index) => marked[index]);
}

/** Answers with those that are still there in spite of all. */
export async function endMarkedProcesses(mark: string, graceMs: number): Promise<readonly number[]> {
  const sessions = new Set((await findMarkedProcesses(mark)).map(({ session }) => session));
  const left = await Promise.all([...sessions].map((session) => endSession(session, graceMs)));
  return left.flat();
}

async function readEnvironment(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  return text.split("\0");
}
