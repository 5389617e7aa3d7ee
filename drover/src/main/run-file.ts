import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The Drover that runs on a data folder, as it says of itself. */
export interface RunFile {
  readonly pid: number;
  /** When the process began, as the system counts; tells it from a later one with the same number. */
  readonly began: string | null;
  readonly url: string;
  readonly version: string;
}

const fileIn = (dataDir: string): string => join(dataDir, "run.json");

export const logFileIn = (dataDir: string): string => join(dataDir, "drover.log");

/** Leaves word that this process runs; the answer takes it away, unless another process has left its own. */
export function leaveRunFile(dataDir: string, { url, version }: Pick<RunFile, "url" | "version">): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = fileIn(dataDir);
  const next = `${file}.${process.pid}`;
  const content: RunFile = { pid: process.pid, began: readBegin(process.pid), url, version };
  writeFileSync(next, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(next, file);
  return () => {
    if (readRunFile(dataDir)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** The process that runs on a data folder; null when there is none, whatever it left behind. */
export function findRunning(dataDir: string): RunFile | null {
  const found = readRunFile(dataDir);
  return found !== null && isAlive(found) ? found : null;
}

/** A process that was killed stays listed until its parent has taken note of it; it is dead all the same. */
export function isAlive({ pid, began }: Pick<RunFile, "pid" | "began">): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const [state = "", ...others] = readStat(pid);
  if (state === "Z" || state === "X") return false;
  return began === null || began === (others[BEGIN] ?? null);
}

function readRunFile(dataDir: string): RunFile | null {
  try {
    const { pid, began, url, version } = JSON.parse(readFileSync(fileIn(dataDir), "utf8")) as Partial<RunFile>;
    if (typeof pid !== "number" || !Number.isInteger(pid) || pid < 2 || typeof url !== "string") return null;
    return { pid, began: typeof began === "string" ? began : null, url, version: String(version) };
  } catch {
    return null;
  }
}

/** When the process began; null where the system does not tell. */
const readBegin = (pid: number): string | null => readStat(pid)[BEGIN + 1] ?? null;

/** Of what follows the state, which is the third field, the one that is the 22nd of all. */
const BEGIN = 18;

/** The fields of /proc/<pid>/stat from the state on; none where there is no such file. The name before may hold anything. */
function readStat(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
