import { spawn } from "node:child_process";
import { markOfRun } from "../../support/mark-of-run.ts";
import type { Place } from "./place.ts";

export interface WorkerProcess {
  readonly pid: number;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly complaint: () => string;
  signal(signal: NodeJS.Signals): void;
  /** Asks it to end, and answers how it did. */
  stop(): Promise<number | NodeJS.Signals | null>;
  kill(): Promise<void>;
}

/** Short enough that nobody waits for the leases of the dead. */
const FLAGS = ["--lease", "1s", "--resync-interval", "1s", "--retry-cap", "500ms", "--log-level", "warn"];

/** `drover worker` as a process of its own. */
export function startWorkerProcess(
  drover: string,
  { dataDir, url }: Place,
  ...flags: readonly string[]
): WorkerProcess {
  const child = spawn(process.execPath, [drover, "worker", "--data-dir", dataDir, ...FLAGS, ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, ...markOfRun(), DROVER_STORE: url },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${drover} could not be started.`);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-5_000);
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on("close", (code, signal) => resolve(code ?? signal)),
  );
  return {
    ...{ pid, ended },
    complaint: () => complaint,
    signal: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill("SIGTERM");
      return await ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
