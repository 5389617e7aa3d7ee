import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import type { Options } from "../config/options.ts";
import { startDetached } from "../lib/start-detached.ts";
import { sleep, systemTimer } from "../ports/timer.ts";
import { findRunning, isAlive, logFileIn } from "./run-file.ts";

type Write = (text: string) => void;

const POLL_MS = 50;
const START_MS = 60_000;
/** What stopping takes beside waiting for jobs. */
const STOP_MARGIN_MS = 15_000;
const ASK_MS = 5_000;

/** The handler of `drover up --detach`: starts this very program again, and ends once that one answers. */
export async function runUpDetached({ dataDir }: Options, args: readonly string[], write: Write): Promise<number> {
  const already = findRunning(dataDir);
  if (already !== null) {
    write(`Drover ${already.version} runs already, as process ${already.pid}: ${already.url}\n`);
    return 0;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const log = logFileIn(dataDir);
  const before = existsSync(log) ? statSync(log).size : 0;
  const argv = [process.execPath, ...process.execArgv, process.argv[1] ?? "", "up", ...args];
  const { pid, ended } = startDetached(argv, log);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (let waited = 0; waited < START_MS && !hasEnded; waited += POLL_MS) {
    if (findRunning(dataDir)?.pid === pid) {
      write(`${readSaid(log, before).replace("Ctrl+C", "drover down")}  Log       ${log}\n`);
      return 0;
    }
    await sleep(systemTimer, POLL_MS);
  }
  const state = hasEnded ? "did not start" : `has not answered for ${START_MS / 1_000} s; process ${pid} goes on`;
  write(`Drover ${state}. This is what it said, in ${log}:\n${readSaid(log, before)}`);
  return 1;
}

/** What was written for people since then; the program's own log is one JSON object per line. */
function readSaid(log: string, from: number): string {
  const said = readFileSync(log).subarray(from).toString("utf8");
  return said.replaceAll(/^\{.*\n?/gm, "");
}

/** The handler of `drover status`. */
export async function runStatus({ dataDir }: Options, write: Write): Promise<number> {
  const running = findRunning(dataDir);
  if (running === null) {
    write(`Drover does not run on ${dataDir}. Start it with \`drover up --detach\`.\n`);
    return 1;
  }
  const { pid, url, version } = running;
  const ready = await askReadiness(url);
  write(`Drover ${version} runs as process ${pid}: ${url}\n${ready ?? "It is ready."}\n`);
  return ready === null ? 0 : 1;
}

async function askReadiness(url: string): Promise<string | null> {
  try {
    const answer = await fetch(new URL("readyz", url), { signal: AbortSignal.timeout(ASK_MS) });
    if (answer.ok) return null;
    const { detail = `It answered ${answer.status}.` } = (await answer.json()) as { detail?: string };
    return `It is not ready: ${detail}`;
  } catch (error) {
    return `It does not answer: ${(error as Error).message}`;
  }
}

/** The handler of `drover down`: asks it to stop, and waits until it has. */
export async function runDown({ dataDir, drain }: Options, write: Write): Promise<number> {
  const running = findRunning(dataDir);
  if (running === null) {
    write(`Drover does not run on ${dataDir}.\n`);
    return 0;
  }
  process.kill(running.pid, "SIGTERM");
  const patience = drain + STOP_MARGIN_MS;
  for (let waited = 0; waited < patience; waited += POLL_MS) {
    if (!isAlive(running)) {
      write("Drover has stopped.\n");
      return 0;
    }
    await sleep(systemTimer, POLL_MS);
  }
  write(
    `Process ${running.pid} has not ended after ${Math.round(patience / 1_000)} s. Look into ${logFileIn(dataDir)}.\n`,
  );
  return 1;
}
