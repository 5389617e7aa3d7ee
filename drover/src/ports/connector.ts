import { CommandError } from "../lib/command-error.ts";

/** A program and its arguments, each on its own: nothing is ever read by a shell. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  /** Left out: the command reads an empty input. */
  readonly stdin?: string | Uint8Array;
  /** Added to the few variables that every child gets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Left out: a folder that is always there, never the caller's own. */
  readonly directory?: string;
  /** By which `findMarked` and `endMarked` know the command and everything that it starts, from any process. */
  readonly mark?: string;
}

export type OutputStream = "stdout" | "stderr";

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** After this long the command is asked to end, and soon after made to. */
  readonly deadlineMs?: number;
  /** How long the command may take to end after it was asked to. */
  readonly graceMs?: number;
  /**
   * Called for each line as it comes, without its end, in order per stream. Very long lines come in pieces; all but
   * the last are `partial`. What it throws ends the command.
   */
  readonly onLine?: (line: string, stream: OutputStream, partial: boolean) => void;
  /** How much of each stream to keep for the answer; the newest is kept. */
  readonly keepBytes?: number;
  /**
   * Also ended when the process that asked for it is gone, however that came about. Costs a process between the two
   * where there is none yet.
   */
  readonly tied?: boolean;
  /** Takes secrets out of whatever of this command is put into an error. */
  readonly mask?: (text: string) => string;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it wrote. */
  readonly stdout: string;
  readonly stderr: string;
  /** How many bytes before that were not kept. */
  readonly dropped: Readonly<Record<OutputStream, number>>;
}

/**
 * Runs commands on one host. Ending early, for whatever reason, leaves no process of the command behind, but for those
 * that made themselves independent (a session of their own) before.
 */
export interface Connector {
  readonly host: string;
  /**
   * Answers soon after the command itself has ended, whatever its exit code, and also when something that it started
   * still holds its output open. Rejects with a `CommandError`: `aborted` or `timed-out` when the command was ended
   * from here, `not-found` or `failed` when it could not be started. Once the command has ended by itself, neither
   * signal nor deadline change the answer.
   */
  run(command: Command, options?: RunOptions): Promise<CommandResult>;
  /**
   * Written beside its name and renamed: a reader sees the old file or the new one. A symbolic link of that name is
   * replaced, not followed. The folder must exist. Only the owner may read the file unless `mode` says otherwise.
   * Rejects with a `FileError`.
   */
  put(path: string, content: Uint8Array, options?: { mode?: number }): Promise<void>;
  /** Rejects with a `FileError`. */
  get(path: string): Promise<Uint8Array>;
  /** The processes of commands with this mark, whoever asked for them. */
  findMarked(mark: string): Promise<readonly number[]>;
  /** Ends them. Rejects with a `CommandError` when one of them cannot be ended. */
  endMarked(mark: string): Promise<void>;
  /** Ends what still runs. Nothing can be run afterwards. */
  close(): Promise<void>;
}

/** As `run`, but any end other than exit code 0 is an error. */
export async function runOrThrow(
  connector: Connector,
  command: Command,
  options: RunOptions = {},
): Promise<CommandResult> {
  const result = await connector.run(command, options);
  if (result.exitCode === 0) return result;
  const { dropped, ...end } = result;
  throw new CommandError({
    reason: "failed",
    host: connector.host,
    argv: command.argv,
    ...end,
    cut: { stdout: dropped.stdout > 0, stderr: dropped.stderr > 0 },
    mask: options.mask,
  });
}
