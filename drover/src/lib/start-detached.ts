import { spawn } from "node:child_process";
import { openSync } from "node:fs";

export interface DetachedProcess {
  readonly pid: number;
  /** Resolves when it ends while somebody still looks. */
  readonly ended: Promise<void>;
}

/** Starts a program that goes on when this one ends, with everything it says at the end of a file. */
export function startDetached(argv: readonly string[], logFile: string): DetachedProcess {
  const [program = "", ...args] = argv;
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(program, args, { detached: true, stdio: ["ignore", log, log] });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  child.unref();
  return { pid: child.pid ?? 0, ended };
}
