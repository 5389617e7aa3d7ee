import { constants } from "node:os";
import { type CommandError, isCommandError } from "../lib/command-error.ts";
import type { Command, CommandResult, Connector, RunOptions } from "./connector.ts";

/** A short command of a list. It reads an empty input, and must leave nothing running that goes on writing. */
export interface ListedCommand extends Omit<Command, "stdin" | "mark"> {
  /** Left out: it is always run. Otherwise only when the last one before it that was run ended so. */
  readonly after?: "success" | "failure";
}

export interface RunAllOptions extends Pick<RunOptions, "signal" | "deadlineMs" | "graceMs" | "mask"> {
  /** How much of each stream of each command to keep; the newest is kept. */
  readonly keepBytes?: number;
}

export interface ListedResult extends Omit<CommandResult, "signal" | "exitCode"> {
  /** 128 and its number when a signal ended it; 126 or 127 when it could not be started. */
  readonly exitCode: number;
}

/** What a connector may have beside the port: a whole list at the cost of one command. */
export interface RunsLists {
  runAll(commands: readonly ListedCommand[], options?: RunAllOptions): Promise<readonly (ListedResult | null)[]>;
}

/**
 * Runs commands one after the other, in one round trip where the connector can. Answers with null for those that were
 * not run because of their `after`. Deadline and signal are for all of them together. Rejects as `Connector.run`; what
 * was under way then may have been done in part.
 */
export async function runAll(
  connector: Connector & Partial<RunsLists>,
  commands: readonly ListedCommand[],
  options: RunAllOptions = {},
): Promise<readonly (ListedResult | null)[]> {
  if (connector.runAll) return await connector.runAll(commands, options);
  const { deadlineMs, ...others } = options;
  const until = performance.now() + (deadlineMs ?? 0);
  const results: (ListedResult | null)[] = [];
  let succeeded: boolean = true;
  for (const { after, ...command } of commands) {
    const isDue: boolean = after === undefined || (after === "success") === succeeded;
    const left = deadlineMs === undefined ? {} : { deadlineMs: until - performance.now() };
    const result: ListedResult | null = isDue ? await runListed(connector, command, { ...others, ...left }) : null;
    if (result) succeeded = result.exitCode === 0;
    results.push(result);
  }
  return results;
}

async function runListed(connector: Connector, command: Command, options: RunOptions): Promise<ListedResult> {
  try {
    const { signal, exitCode, ...output } = await connector.run(command, options);
    return { ...output, exitCode: exitCode ?? 128 + numberOf(signal) };
  } catch (error) {
    const exitCode = isCommandError(error, "not-found") ? 127 : isCommandError(error, "failed") ? 126 : null;
    if (exitCode === null) throw error;
    const stderr = `${(error as CommandError).message}\n`;
    return { exitCode, stdout: "", stderr, dropped: { stdout: 0, stderr: 0 } };
  }
}

const numberOf = (signal: string | null): number =>
  Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0;
