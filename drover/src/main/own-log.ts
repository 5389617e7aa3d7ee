import { closeSync, existsSync, fstatSync, openSync, readSync, watch } from "node:fs";
import type { OwnLogRequest } from "../cli/handlers.ts";
import { renderOwnLogLine } from "../cli/render/own-log-line.ts";
import { Wakeable } from "../lib/wakeable.ts";
import { systemTimer } from "../ports/timer.ts";
import { waitForWake } from "../ports/wait-for-wake.ts";
import { logFileIn } from "./run-file.ts";

const CHUNK = 64 * 1024;
/** The longest time without looking into the file, should the system not tell of a change. */
const LOOK_EVERY_MS = 1_000;

/** The handler of `drover logs` without a cluster: what the Drover that was started with `up --detach` here has said. */
export async function runOwnLog(
  dataDir: string,
  { follow, tail, asJson, colours, signal }: OwnLogRequest,
  write: (text: string) => void,
): Promise<number> {
  const file = logFileIn(dataDir);
  if (!existsSync(file)) {
    write(`There is no log in ${dataDir}: only \`drover up --detach\` keeps one; otherwise it is on the terminal.\n`);
    return 1;
  }
  const show = (line: string) => write(asJson ? `${line}\n` : renderOwnLogLine(line, colours));
  const reader = new LineReader(file);
  try {
    for (const line of tail === undefined ? reader.read() : lastOf(reader.read(), tail)) show(line);
    if (follow) await followFile(file, signal, () => [...reader.read()].forEach(show));
  } finally {
    reader.close();
  }
  return 0;
}

function lastOf(lines: Iterable<string>, count: number): readonly string[] {
  const last: string[] = [];
  for (const line of lines) {
    last.push(line);
    if (last.length > count) last.shift();
  }
  return last;
}

async function followFile(file: string, signal: AbortSignal, look: () => void): Promise<void> {
  const changed = new Wakeable();
  const wake = () => changed.wake();
  const watcher = watch(file, wake);
  signal.addEventListener("abort", wake, { once: true });
  try {
    while (!signal.aborted) {
      look();
      await waitForWake(changed, systemTimer, LOOK_EVERY_MS);
    }
  } finally {
    watcher.close();
  }
}

/** Whole lines of a file that grows; one that was cut short is read from its beginning again. */
class LineReader {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(CHUNK);
  #at = 0;
  #begun = Buffer.alloc(0);

  constructor(path: string) {
    this.#file = openSync(path, "r");
  }

  /** The lines that were ended since the last call. */
  *read(): Generator<string> {
    if (fstatSync(this.#file).size < this.#at) {
      this.#at = 0;
      this.#begun = Buffer.alloc(0);
    }
    for (;;) {
      const count = readSync(this.#file, this.#buffer, 0, CHUNK, this.#at);
      if (count === 0) return;
      this.#at += count;
      const text = Buffer.concat([this.#begun, this.#buffer.subarray(0, count)]);
      const end = text.lastIndexOf("\n");
      this.#begun = text.subarray(end + 1);
      if (end > 0) yield* text.subarray(0, end).toString("utf8").split("\n");
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
