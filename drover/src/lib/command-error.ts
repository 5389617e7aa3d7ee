import { showCommand } from "./quote-command.ts";
import { sanitizeText } from "./sanitize-text.ts";

/**
 * - `aborted`: ended from here because the caller no longer wanted it
 * - `timed-out`: ended from here at its deadline; the cause tells when it was because the host did not answer
 * - `not-found`: there is no such program
 * - `denied`: whoever it should run as may not be had there; the cause tells
 * - `unreachable`: nothing was started, as the host cannot be asked; the cause tells why
 * - `outcome-unknown`: it was handed over, but the host fell silent before its end: it may have run, or run still
 * - `failed`: ended by itself and not well, or could not be started for another reason, which is the cause
 */
export type CommandFailureReason =
  | "aborted"
  | "timed-out"
  | "not-found"
  | "denied"
  | "unreachable"
  | "outcome-unknown"
  | "failed";

export interface CommandFailure {
  readonly reason: CommandFailureReason;
  readonly host: string;
  readonly argv: readonly string[];
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Whether the two begin in the middle of what was written. */
  readonly cut?: { readonly stdout: boolean; readonly stderr: boolean };
  /** What else there is to know, as a sentence. */
  readonly note?: string | undefined;
  /** Takes the secrets out of a text. */
  readonly mask?: ((text: string) => string) | undefined;
  readonly cause?: unknown;
}

const SHOWN_LINES = 20;
const KEPT_CHARACTERS = 8 * 1024;
const SUMMARY_CHARACTERS = 200;
/** Longer ones are not expected on a line whose beginning is missing. */
const LONGEST_SECRET = 4 * 1024;

/**
 * A command that did not do its work, as one can paste it. All texts are masked before they are kept, so that nothing
 * that prints the error can show more than it should. Input and environment are not part of it.
 */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly reason: CommandFailureReason;
  readonly host: string;
  /** Quoted, on one line. */
  readonly command: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The ends of what it wrote, in whole lines where they were cut. */
  readonly stdout: string;
  readonly stderr: string;

  constructor(failure: CommandFailure) {
    const mask = failure.mask ?? ((text: string) => text);
    const argv = failure.argv.map(mask);
    const stdout = keepEnd(mask(failure.stdout ?? ""), failure.cut?.stdout ?? false);
    const stderr = keepEnd(mask(failure.stderr ?? ""), failure.cut?.stderr ?? false);
    const message = describe(failure, argv, lastLine(stderr) || lastLine(stdout));
    super(message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.reason = failure.reason;
    this.host = failure.host;
    this.command = showCommand(argv);
    this.exitCode = failure.exitCode ?? null;
    this.signal = failure.signal ?? null;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /** The whole story for people, harmless to print and to paste. */
  explain(): string {
    const [name, output] = this.stderr.trim() === "" ? ["output", this.stdout] : ["error output", this.stderr];
    const lines = output.trimEnd().split("\n");
    const shown = lines.slice(-SHOWN_LINES).map((line) => `    ${line}`);
    return [
      this.message,
      `  host: ${this.host}`,
      `  command: ${this.command}`,
      ...(output.trim() === "" ? [] : [`  end of its ${name}:`, ...shown]),
    ].join("\n");
  }

  toJSON() {
    const { name, reason, message, host, command, exitCode, signal, stdout, stderr } = this;
    return { name, reason, message, host, command, exitCode, signal, stdout, stderr };
  }
}

export function isCommandError(error: unknown, reason?: CommandFailureReason): error is CommandError {
  return error instanceof CommandError && (reason === undefined || error.reason === reason);
}

function describe(failure: CommandFailure, argv: readonly string[], lastWords: string): string {
  const program = `${showCommand(argv.slice(0, 1))} on ${failure.host}`;
  const note = failure.note === undefined ? "" : ` ${failure.note}`;
  switch (failure.reason) {
    case "aborted":
      return `${program} was ended on request.${note}`;
    case "timed-out":
      return `${program} was ended because it took too long.${note}`;
    case "not-found":
      return `${program} was not found. Install it there, or add its folder to the search path.${note}`;
    case "denied":
      return `${program} was not started.${note}`;
    case "unreachable":
      return `${program} was not started.${note}`;
    case "outcome-unknown":
      return `${program} was started, but the connection broke before its end. Look what it has done before it is repeated.${note}`;
    case "failed":
      return `${program} ${describeEnd(failure)}${lastWords === "" ? "." : `: ${lastWords}`}${note}`;
  }
}

function describeEnd({ exitCode, signal }: CommandFailure): string {
  if (typeof exitCode === "number") return `ended with exit code ${exitCode}`;
  return typeof signal === "string" ? `was ended by ${signal}` : "could not be run";
}

/** Where the beginning is missing, a secret may have been cut in two and gone unnoticed: its line goes as well. */
function keepEnd(text: string, cut: boolean): string {
  const lineEnd = text.indexOf("\n");
  const safe = lineEnd === -1 ? LONGEST_SECRET : lineEnd + 1;
  const harmless = sanitizeText(cut ? text.slice(safe) : text);
  if (harmless.length <= KEPT_CHARACTERS) return harmless;
  const end = harmless.slice(-KEPT_CHARACTERS);
  return end.slice(end.indexOf("\n") + 1);
}

function lastLine(text: string): string {
  const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line.length <= SUMMARY_CHARACTERS ? line : `${line.slice(0, SUMMARY_CHARACTERS)}…`;
}
