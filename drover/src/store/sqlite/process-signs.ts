import { readFileSync, readlinkSync } from "node:fs";
import type { Json } from "../../ports/store/index.ts";
import type { Db, LifeSigns, SignedWorker } from "../session.ts";
import { readBootId } from "./boot-id.ts";

interface ProcessSign {
  readonly pid: number;
  /** In ticks since the boot: tells a process from a later one with the same number. */
  readonly startedAt: string;
  /** Numbers of processes mean something within one boot and one namespace only. */
  readonly space: string;
}

/**
 * A worker lives as long as its process does. Everybody who has the file open is on one host, and can look; where
 * there is no /proc, or the number is one of another container, only the lease tells.
 */
export class ProcessSigns implements LifeSigns {
  readonly #space = readSpace();

  async show(): Promise<Json | null> {
    const startedAt = readProcess(process.pid)?.startedAt;
    if (this.#space === null || startedAt === undefined) return null;
    return { pid: process.pid, startedAt, space: this.#space };
  }

  async hide(): Promise<void> {}

  onChange(): void {}

  async findGone(_: Db, workers: readonly SignedWorker[]): Promise<readonly string[]> {
    return workers.filter(({ sign }) => this.#isGone(sign as unknown as ProcessSign)).map(({ id }) => id);
  }

  #isGone({ pid, startedAt, space }: ProcessSign): boolean {
    if (space !== this.#space) return false;
    const found = readProcess(pid);
    // Where other users' processes are hidden, one that cannot be read is not gone for that.
    if (found === null) return !canBeSignalled(pid);
    return found.hasEnded || found.startedAt !== startedAt;
  }
}

function readSpace(): string | null {
  try {
    return `${readBootId()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

function readProcess(pid: number): { readonly startedAt: string; readonly hasEnded: boolean } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the command comes second, in brackets, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", startedAt = ""] = [fields[0], fields[19]];
    // One that has ended stays listed until its parent has taken note.
    return { startedAt, hasEnded: state === "Z" || state === "X" };
  } catch {
    return null;
  }
}

/** True also when we may not: somebody is there. */
function canBeSignalled(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
