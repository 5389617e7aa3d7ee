/** A program and its arguments, each on its own: nothing is ever read by a shell. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly stdin?: string | Uint8Array;
  /** Added to the few variables that every child gets. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** After this long the process group is asked to end, and soon after made to. */
  readonly deadlineMs?: number;
  /** Called for each line as it comes, without its end. Very long lines come in pieces. */
  readonly onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** How much of each stream to keep for the answer; the newest is kept. */
  readonly keepBytes?: number;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it wrote. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands on one host. Ending early, for whatever reason, leaves no process of the command behind. */
export interface Connector {
  readonly host: string;
  /**
   * Answers when the command itself has ended, whatever its exit code. Rejects with `command-aborted` or
   * `command-timed-out` when it was ended from here, with `command-not-found` when it could not be started.
   */
  run(command: Command, options?: RunOptions): Promise<CommandResult>;
  /** Written beside its name and renamed: a reader sees the old file or the new one. */
  put(path: string, content: Uint8Array, options?: { mode?: number }): Promise<void>;
  get(path: string): Promise<Uint8Array>;
  close(): Promise<void>;
}
