import { readdir, readFile } from "node:fs/promises";

export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly session: number;
  /** False for a zombie: it has ended, and only waits to be counted by its parent. */
  readonly alive: boolean;
}

const AT_ONCE = 16;

let underWay: Promise<ProcessEntry[] | null> | null = null;

/**
 * Every process that this one can see; null where the system does not tell (there is no `/proc`). Whoever asks while
 * the table is being read shares the answer, so that ending many commands at once reads it once.
 */
export function readProcessTable(): Promise<ProcessEntry[] | null> {
  underWay ??= readTable().finally(() => {
    underWay = null;
  });
  return underWay;
}

async function readTable(): Promise<ProcessEntry[] | null> {
  const names = await readdir("/proc").catch(() => null);
  const pids = names?.filter((name) => /^\d+$/.test(name)) ?? [];
  if (pids.length === 0) return null;
  const entries: ProcessEntry[] = [];
  const next = pids.values();
  const readSome = async () => {
    for (const pid of next) {
      const entry = parseStat(await readFile(`/proc/${pid}/stat`, "latin1").catch(() => ""));
      if (entry) entries.push(entry);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readSome));
  return entries;
}

/** `pid (name) state parent group session …`, where the name may hold anything. */
export function parseStat(text: string): ProcessEntry | null {
  const nameEnd = text.lastIndexOf(")");
  if (nameEnd === -1) return null;
  const [state = "", , group, session] = text.slice(nameEnd + 2).split(" ");
  return {
    pid: Number.parseInt(text, 10),
    group: Number(group),
    session: Number(session),
    alive: !"ZXx".includes(state),
  };
}
