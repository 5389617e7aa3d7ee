import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { FileError, isFileError } from "../../lib/file-error.ts";
import type { SendFileOptions } from "../../ports/send-file.ts";
import { MARK_VARIABLE, startWith } from "./command-script.ts";
import { attempt, cutOff, FINISH, type FileTransfer, GIVE_UP, JUDGE_FOLDER, PRIVATE, placeFile } from "./files.ts";
import type { Starter } from "./starter.ts";

/** How often a broken connection is made good before it is told. */
const TRIES = 4;
const CHUNK_BYTES = 256 * 1024;

/**
 * Takes the part for itself. Whoever had it before may have given it its name meanwhile: then what is open here is that
 * file, and is left alone.
 */
const TAKE_PART = `
for turn in 1 2 3 4 5; do
  exec 9>>"$temporary" || exit
  before=$(stat -L -c %s /proc/self/fd/9)
  flock -w 5 9 || break
  [ "$temporary" -ef /proc/self/fd/9 ] && mine=yes && break
done`;

/** What came of a try: `stalled` and `busy` tell of somebody else who has the part, and sends nothing or something. */
const OUTCOMES = ["sent", "changed", "stalled", "busy"] as const;

type Outcome = (typeof OUTCOMES)[number];

interface Sending {
  readonly from: string;
  readonly to: string;
  readonly total: number;
  readonly sha256: string;
  readonly options: SendFileOptions;
}

/**
 * Sends a file, going on from what is there of it. The part has a name made of its content, and only grows at its end,
 * one writer at a time: its length says how much of it is right, and its checksum at the end whether that is true.
 */
export async function sendFile(files: FileTransfer, from: string, to: string, options: SendFileOptions): Promise<void> {
  const { size: total } = await stat(from);
  const sending: Sending = { from, to, total, options, sha256: options.sha256 ?? (await hashFile(from)) };
  for (let tries = 1; ; tries++) {
    try {
      const outcome = await sendRest(files, sending, await askLength(files, sending));
      if (outcome === "sent") return;
      if (outcome === "busy" || tries === TRIES) throw somebodyElse(files, to);
      // A connection that broke without a word leaves it there until the host notices. Whether it ended, the next try tells.
      if (outcome === "stalled") await files.endMarked(markOf(sending)).catch(() => {});
    } catch (error) {
      if (tries === TRIES || options.signal?.aborted || !isFileError(error, "unreachable")) throw error;
    }
  }
}

const place = ({ to, sha256, options }: Sending): string[] => placePart(to, sha256, options.mode);

/** What the part is called until it is whole. */
export function placePart(to: string, sha256: string, mode = PRIVATE): string[] {
  return placeFile(to, `.drover-${hashText(`${sha256} ${basename(to)}`)}.part`, mode);
}

/** Of whoever writes into the part. */
const markOf = ({ to, sha256 }: Sending): string => `drover-part-${hashText(`${sha256} ${to}`)}`;

const hashText = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 24);

function somebodyElse({ host }: FileTransfer, path: string): FileError {
  const why = "Another transfer of the same file is under way.";
  return new FileError("failed", host, path, `${path} on ${host} could not be written. ${why}`);
}

async function askLength(files: FileTransfer, sending: Sending): Promise<number> {
  const script = startWith(
    [...place(sending), JUDGE_FOLDER, `[ -f "$temporary" ] && exec stat -c %s -- "$temporary"`, "echo 0", "exit"].join(
      "\n",
    ),
  );
  const { stdout } = await attempt(files, sending.to, "written", () => files.obey({ script, ...withSignal(sending) }));
  return Number(stdout);
}

async function sendRest(files: FileTransfer, sending: Sending, length: number): Promise<Outcome> {
  const { total, sha256 } = sending;
  const from = length > total ? 0 : length;
  const script = startWith(
    [
      ...place(sending),
      `wanted=${sha256}`,
      GIVE_UP,
      "umask 077",
      "mine=",
      TAKE_PART,
      `size=$(stat -L -c %s /proc/self/fd/9)`,
      // One who has sent all is at checking and renaming, which takes its time.
      `[ -n "$mine" ] || { [ "$size" = "$before" ] && [ "$size" -lt ${total} ] && echo stalled || echo busy; exit 0; }`,
      `export ${MARK_VARIABLE}=${markOf(sending)}`,
      `[ "$size" -le ${total} ] || { : >"$temporary"; size=0; }`,
      `[ "$size" = ${from} ] || { echo changed; exit 0; }`,
      `said=$( { cat >&9; } 2>&1 ) || give_up "$said"`,
      // Cut off: what has arrived is kept.
      `[ "$(stat -c %s -- "$temporary")" = ${total} ] || { echo "It is not whole." >&2; exit 1; }`,
      "echo sent",
      FINISH,
    ].join("\n"),
  );
  const stdin = (starter: Starter, gone: Promise<unknown>) => feed(starter, gone, sending, from);
  const work = () => files.obey({ script, stdin, ...withSignal(sending) });
  const { stdout } = await attempt(files, sending.to, "written", work);
  const outcome = OUTCOMES.find((word) => stdout === `${word}\n`);
  if (outcome === undefined) throw cutOff(files, sending.to, "written");
  return outcome;
}

async function feed(starter: Starter, gone: Promise<unknown>, sending: Sending, start: number): Promise<void> {
  const { from, total, options } = sending;
  if (start >= total) return;
  let sent = start;
  let isGone = false;
  const away = gone.then(() => {
    isGone = true;
  });
  const source = createReadStream(from, { start, end: total - 1, highWaterMark: CHUNK_BYTES });
  for await (const chunk of source) {
    // Nobody takes what is sent to a process that has ended.
    await Promise.race([new Promise<void>((resolve) => starter.write(chunk as Buffer, resolve)), away]);
    if (isGone) break;
    sent += (chunk as Buffer).length;
    options.onProgress?.(sent, total);
  }
  source.destroy();
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), hash);
  return hash.digest("hex");
}

const withSignal = ({ options }: Sending) => (options.signal ? { signals: [options.signal] } : {});
