import { statSync } from "node:fs";
import { CommandError } from "../../lib/command-error.ts";
import { FileError, type FileFailureReason } from "../../lib/file-error.ts";
import type { Command, RunOptions } from "../../ports/connector.ts";
import type { StopRequest } from "../watch-for-stop.ts";
import type { ProcessEnd } from "./run-process.ts";

export interface Occasion {
  readonly host: string;
  readonly command: Command;
  readonly directory: string;
  readonly options: RunOptions;
}

export function describeStop(occasion: Occasion, stop: StopRequest, end?: ProcessEnd): CommandError {
  return new CommandError({
    ...tellWhat(occasion),
    reason: stop.reason,
    ...(end && {
      exitCode: end.exitCode,
      signal: end.signal,
      stdout: end.stdout,
      stderr: end.stderr,
      cut: { stdout: end.dropped.stdout > 0, stderr: end.dropped.stderr > 0 },
    }),
    note: listNotes(occasion, stop, end).join(" ") || undefined,
    cause: stop.cause,
  });
}

function listNotes({ options }: Occasion, { reason, note }: StopRequest, end: ProcessEnd | undefined): string[] {
  const notes = note === undefined ? [] : [note];
  if (reason === "timed-out") notes.push(`It was given ${(options.deadlineMs ?? 0) / 1000} s.`);
  if (end === undefined) notes.push("It was not started.");
  else if (end.survivors.length > 0) {
    notes.push(`Its processes ${end.survivors.join(", ")} could not be ended; look for them with ps and end them.`);
  }
  return notes;
}

/** Why a command could not be started. */
export function describeStartFailure(occasion: Occasion, error: unknown): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  const cause = withoutArguments(error);
  const folderProblem = judgeFolder(occasion.directory);
  if (code === "ENOENT" && folderProblem === null) {
    return new CommandError({ ...tellWhat(occasion), reason: "not-found", cause });
  }
  return new CommandError({ ...tellWhat(occasion), reason: "failed", note: folderProblem ?? cause.message, cause });
}

function tellWhat({ host, command, options }: Occasion) {
  return { host, argv: command.argv, mask: options.mask };
}

/** The system says the same for a missing program and for a missing folder. */
function judgeFolder(directory: string): string | null {
  try {
    if (statSync(directory).isDirectory()) return null;
    return `${JSON.stringify(directory)}, where it should run, is not a folder.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `The folder ${JSON.stringify(directory)}, where it should run, cannot be used (${code}).`;
  }
}

/** Node.js hangs the whole command on its errors, or quotes it in them, secrets included. */
function withoutArguments(error: unknown): Error {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return new Error(message);
  return Object.assign(new Error(START_PROBLEMS[code] ?? `The system said ${code}.`), { code, errno });
}

const START_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such program.",
  EACCES: "It may not be executed.",
  E2BIG: "Its arguments and variables are too long; pass them as input or in a file.",
  EMFILE: "Too many files are open in this process.",
  ENFILE: "Too many files are open on this machine.",
  EAGAIN: "No further process may be started.",
  ENOMEM: "There is not enough memory for a further process.",
  ERR_INVALID_ARG_VALUE: "An argument, variable or folder is empty or holds a NUL character.",
};

const FILE_REASONS: Readonly<Record<string, FileFailureReason>> = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  EACCES: "denied",
  EPERM: "denied",
  EROFS: "denied",
};

export function describeFileFailure(host: string, path: string, deed: "read" | "written", cause: unknown): FileError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = FILE_REASONS[code ?? ""] ?? "failed";
  const why = {
    "not-found": deed === "read" ? "It does not exist." : "Its folder does not exist.",
    denied: "This user may not.",
    unreachable: message,
    failed: message,
  };
  return new FileError(reason, host, path, `${path} on ${host} could not be ${deed}. ${why[reason]}`, cause);
}
