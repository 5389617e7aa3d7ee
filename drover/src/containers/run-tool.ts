import { DroverError } from "@drover/contract";
import { isCommandError } from "../lib/command-error.ts";
import type { OutputStream } from "../ports/connector.ts";
import type { StepContext } from "../ports/step.ts";

export interface ToolCall {
  readonly argv: readonly [string, ...string[]];
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** How far a line says that the tool is, in percent; null where it says nothing about it. */
  readonly percentOf?: (line: string) => number | null;
  /** What of a line is shown; null leaves it out. */
  readonly show?: (line: string, stream: OutputStream) => string | null;
}

export interface ToolEnd {
  readonly ok: boolean;
  readonly exitCode: number | null;
  /** The end of what it wrote. */
  readonly stdout: string;
  readonly stderr: string;
}

/** The mark of every process that works for a cluster on this machine, from whichever worker. */
export const markOf = (clusterId: string): string => `cluster-${clusterId}`;

/**
 * Runs a tool on this machine, with what it says as the log of the step. It ends with the step, and also when this
 * process is gone. Rejects when it cannot be started or had to be ended; how it ended by itself is for the caller.
 */
export async function runTool(context: StepContext, call: ToolCall): Promise<ToolEnd> {
  const connector = await context.connect("local");
  const show = call.show ?? ((line) => line);
  const running = connector.run(
    {
      argv: call.argv,
      mark: markOf(context.cluster.id),
      ...(call.environment === undefined ? {} : { environment: call.environment }),
      ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
    },
    {
      signal: context.signal,
      tied: true,
      onLine: (line, stream) => {
        const shown = show(line, stream);
        if (shown !== null) context.log(shown, stream);
        const percent = call.percentOf?.(line) ?? null;
        if (percent !== null) context.progress(percent);
      },
    },
  );
  const { exitCode, stdout, stderr } = await running.catch((error: unknown) => {
    throw isCommandError(error, "not-found") ? missing(call.argv[0], error) : error;
  });
  return { ok: exitCode === 0, exitCode, stdout, stderr };
}

function missing(program: string, cause: unknown): DroverError {
  const next = "Install it there, or name its folder in DROVER_SEARCH_PATH; then retry.";
  return new DroverError("program-missing", `${program} is not installed on the machine of the worker. ${next}`, {
    cause,
  });
}

/** Ends what an older worker of this machine still runs for the cluster: it would go on making what was just removed. */
export async function endOlderTools(context: StepContext): Promise<void> {
  const connector = await context.connect("local");
  const mark = markOf(context.cluster.id);
  const left = await connector.findMarked(mark);
  if (left.length === 0) return;
  context.log(`Ending what an earlier run has left: the processes ${left.join(", ")}.`);
  await connector.endMarked(mark);
}

export async function hasOlderTools(context: StepContext): Promise<boolean> {
  const connector = await context.connect("local");
  return (await connector.findMarked(markOf(context.cluster.id))).length > 0;
}
