import { createHash, randomBytes } from "node:crypto";
import { basename, dirname, isAbsolute, join } from "node:path";
import { CommandError } from "../../lib/command-error.ts";
import { FileError, type FileFailureReason } from "../../lib/file-error.ts";
import { quoteArgument } from "../../lib/quote-command.ts";
import { isUnreachable, UnreachableError } from "../../lib/unreachable-error.ts";
import { startWith } from "./command-script.ts";
import type { ScriptEnd, ScriptRequest } from "./run-script.ts";
import { SudoError } from "./sudo-error.ts";

export interface FileTransfer {
  readonly host: string;
  readonly obey: (request: Partial<ScriptRequest> & Pick<ScriptRequest, "script">) => Promise<ScriptEnd>;
  /** Ends what carries the mark; see `Connector`. */
  readonly endMarked: (mark: string) => Promise<void>;
}

export const PRIVATE = 0o600;

/** Says on its error output why, and leaves nothing behind. */
export const GIVE_UP = `give_up() { rm -f -- "$temporary"; echo "$1" >&2; exit 1; }`;
export const JUDGE_FOLDER = `
[ -d "$folder" ] || { echo not-found >&2; exit 1; }
[ -w "$folder" ] || { echo denied >&2; exit 1; }`;

/** Anything else could have no end, or no beginning: opening a pipe waits for a writer. */
export const REQUIRE_FILE = `
[ -e "$name" ] || { echo not-found >&2; exit 1; }
[ -f "$name" ] || { echo "It is not a regular file." >&2; exit 1; }
[ -r "$name" ] || { echo denied >&2; exit 1; }`;

/** What is in the temporary file takes the name, once it is all there and durable. */
export const FINISH = `
found=$(sha256sum <"$temporary") || give_up "It could not be read back."
[ "\${found%% *}" = "$wanted" ] || give_up "It arrived damaged: its SHA-256 is not that of what was sent."
said=$(chmod "$mode" "$temporary" 2>&1 && sync -- "$temporary" 2>&1 && mv -fT -- "$temporary" "$name" 2>&1) || give_up "$said"
sync -- "$folder" 2>/dev/null
exit 0`;

/** Written beside its name and renamed, in one round trip; see `Connector.put`. */
export async function putFile(files: FileTransfer, path: string, content: Uint8Array, mode = PRIVATE): Promise<void> {
  const script = () =>
    startWith(
      [
        ...placeFile(path, `.drover-${randomBytes(8).toString("hex")}.tmp`, mode),
        `wanted=${createHash("sha256").update(content).digest("hex")}`,
        JUDGE_FOLDER,
        GIVE_UP,
        "umask 077",
        "set -C",
        `said=$( { cat >"$temporary"; } 2>&1 ) || give_up "$said"`,
        FINISH,
      ].join("\n"),
    );
  await attempt(files, path, "written", () => files.obey({ script: script(), stdin: content }));
}

/** See `Connector.get`. */
export async function getFile(files: FileTransfer, path: string, limitBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  const onBytes = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limitBytes) throw new RangeError(`It has more than the ${limitBytes} bytes that may be read at once.`);
    chunks.push(chunk);
  };
  const script = () =>
    startWith(`
${placeFile(path, "", PRIVATE)[0]}
${REQUIRE_FILE}
exec dd bs=65536 if="$name"`);
  const { stderr } = await attempt(files, path, "read", () => files.obey({ script: script(), onBytes }));
  // How much was sent dd says; a file in /proc has no size that could be asked for.
  const sent = /^(\d+) bytes/m.exec(stderr)?.[1];
  if (sent !== undefined && Number(sent) !== size) throw cutOff(files, path, "read");
  return Buffer.concat(chunks);
}

/** Variables that name the file, its folder and what it is called until it is whole. */
export function placeFile(path: string, temporary: string, mode: number): string[] {
  if (!isAbsolute(path)) throw new TypeError(`${JSON.stringify(path)} is not an absolute path.`);
  if (basename(path) === "" || path.endsWith("/")) throw new TypeError("A file needs a name.");
  return [
    `name=${quoteArgument(path)}`,
    `folder=${quoteArgument(dirname(path))}`,
    `temporary=${quoteArgument(join(dirname(path), temporary))}`,
    `mode=${mode.toString(8)}`,
  ];
}

type Deed = "read" | "written";

export async function attempt(
  files: FileTransfer,
  path: string,
  deed: Deed,
  work: () => Promise<ScriptEnd>,
): Promise<ScriptEnd> {
  let end: ScriptEnd;
  try {
    end = await work();
  } catch (error) {
    if (error instanceof SudoError) throw describeSudoRefusal(files.host, path, deed, error);
    throw describeFailure(files.host, path, deed, isUnreachable(error) ? "unreachable" : "failed", error as Error);
  }
  if (end.lost) throw cutOff(files, path, deed);
  if (end.exitCode === 0 && !end.stopped) return end;
  throw describeFailure(files.host, path, deed, ...explain(end));
}

/** It may be whole the next time. */
export function cutOff({ host }: FileTransfer, path: string, deed: Deed): FileError {
  const detail = "The connection broke before it was whole.";
  return describeFailure(host, path, deed, "unreachable", new UnreachableError({ reason: "lost", host, detail }));
}

function describeSudoRefusal(host: string, path: string, deed: Deed, error: SudoError): FileError {
  const cause = new CommandError({ reason: "denied", host, argv: ["sudo"], note: error.message, cause: error });
  return new FileError("denied", host, path, `${path} on ${host} could not be ${deed}. ${error.message}`, cause);
}

function explain({ stderr, stopped }: ScriptEnd): [FileFailureReason, Error] {
  if (stopped) return ["failed", stopped.cause as Error];
  const said = stderr.trim();
  if (said === "not-found" || said === "denied") return [said, new Error(said)];
  const reason = /Permission denied|Read-only file system|Operation not permitted/.test(said) ? "denied" : "failed";
  return [reason, new Error(said === "" ? "The host did not say why." : said)];
}

function describeFailure(host: string, path: string, deed: Deed, reason: FileFailureReason, cause: Error): FileError {
  const why = {
    "not-found": deed === "read" ? "It does not exist." : "Its folder does not exist.",
    denied: "This user may not.",
    unreachable: cause.message,
    failed: cause.message,
  };
  return new FileError(reason, host, path, `${path} on ${host} could not be ${deed}. ${why[reason]}`, cause);
}

/** What failed with a file at this end. */
export async function blameThisMachine(path: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FileError) throw error;
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "not-found" : "failed";
    throw new FileError(reason, "this machine", path, `${path} on this machine: ${(error as Error).message}`, error);
  }
}
