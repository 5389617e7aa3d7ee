import { CommandError } from "../../lib/command-error.ts";
import { isUnreachable } from "../../lib/unreachable-error.ts";
import type { Command, RunOptions } from "../../ports/connector.ts";
import { didNotAnswer, type ScriptEnd } from "./run-script.ts";
import { SudoError } from "./sudo-error.ts";

export interface Occasion {
  readonly host: string;
  readonly command: Command;
  readonly options: RunOptions;
}

type Ending = Partial<ScriptEnd> & Pick<ScriptEnd, "stopped" | "notStarted">;

/** Why something could not be started. */
export function describeRefusal(occasion: Occasion, error: unknown): CommandError {
  const { message } = error as Error;
  const reason = isUnreachable(error) ? "unreachable" : error instanceof SudoError ? "denied" : "failed";
  return new CommandError({ ...tellWhat(occasion), reason, note: message, cause: error });
}

/** Null when it ended by itself, well or not. */
export function describeEnd(occasion: Occasion, end: Ending): CommandError | null {
  const what = { ...tellWhat(occasion), ...tellEnd(end) };
  if (end.stopped) {
    const { reason } = end.stopped;
    const isSilent = reason === "timed-out" && end.survivors === null;
    const cause = isSilent ? didNotAnswer(occasion.host) : end.stopped.cause;
    return new CommandError({ ...what, reason, note: listNotes(occasion, end).join(" ") || undefined, cause });
  }
  if (end.word === "not-found") return new CommandError({ ...tellWhat(occasion), reason: "not-found" });
  const problem = START_PROBLEMS[end.word ?? ""]?.(occasion.command);
  if (problem !== undefined) return new CommandError({ ...tellWhat(occasion), reason: "failed", note: problem });
  return end.lost ? new CommandError({ ...what, reason: "outcome-unknown" }) : null;
}

const START_PROBLEMS: Readonly<Record<string, (command: Command) => string>> = {
  "no-folder": ({ directory }) => `The folder ${JSON.stringify(directory)}, where it should run, cannot be used there.`,
  "not-executable": () => "It may not be executed.",
};

function listNotes({ options }: Occasion, { stopped, notStarted, survivors }: Ending): string[] {
  const notes = stopped?.note === undefined ? [] : [stopped.note];
  if (stopped?.reason === "timed-out") notes.push(`It was given ${(options.deadlineMs ?? 0) / 1000} s.`);
  if (notStarted && isUnreachable(stopped?.cause)) notes.push("It was not started, as the host did not answer.");
  else if (notStarted) notes.push("It was not started.");
  else if (survivors === null) notes.push("The host did not answer when it was asked to end it: it may run still.");
  else if (survivors !== undefined && survivors.length > 0) {
    notes.push(`Its processes ${survivors.join(", ")} could not be ended; look for them with ps and end them.`);
  }
  return notes;
}

function tellEnd({ exitCode, signal, stdout, stderr, dropped }: Ending) {
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(stdout === undefined ? {} : { stdout }),
    ...(stderr === undefined ? {} : { stderr }),
    cut: { stdout: (dropped?.stdout ?? 0) > 0, stderr: (dropped?.stderr ?? 0) > 0 },
  };
}

function tellWhat({ host, command, options }: Occasion) {
  return { host, argv: command.argv, mask: options.mask };
}
