import { type Command, InvalidArgumentError } from "commander";
import type { z } from "zod";
import { count, duration } from "../config/option-types.ts";

/** What is asked of `drover demo`, beside the options of the program. */
export interface DemoOptions {
  readonly clusters: number;
  /** Whether the simulated cloud fails, lies and loses things. */
  readonly faults: boolean;
  /** How long clusters are changed and deleted; 0 when they are only made. */
  readonly lastsMs: number;
  /** How many processes work beside this one; 0 when this one does. */
  readonly workers: number;
  /** How often one of them is killed and another one started; null for never. */
  readonly killEveryMs: number | null;
}

const WITH_FAULTS_MS = 120_000;

export function addDemoOptions(command: Command): Command {
  return command
    .option("--clusters <count>", "how many simulated clusters to declare", parse(count({ min: 1, max: 10_000 })), 20)
    .option("--faults", "let the simulated cloud fail, lie and lose things, until the end is near")
    .option(
      "--seconds <count>",
      "how long to change and delete clusters (default: 0, and 120 with --faults)",
      parse(count({ min: 0, max: 86_400 })),
    )
    .option("--workers <count>", "work in so many processes beside this one", parse(count({ min: 0, max: 64 })), 0)
    .option(
      "--kill-every <duration>",
      "kill one of the workers so often, and start another one",
      parse(duration({ min: "1s", max: "24h" })),
    );
}

export function readDemoOptions(command: Command): DemoOptions {
  const { clusters, faults = false, seconds, workers, killEvery } = command.opts();
  if (killEvery !== undefined && workers === 0) {
    command.error("error: --kill-every needs processes that can be killed; name their number with --workers");
  }
  const lastsMs = seconds === undefined ? (faults ? WITH_FAULTS_MS : 0) : seconds * 1_000;
  return { clusters, faults, lastsMs, workers, killEveryMs: killEvery ?? null };
}

function parse(type: { readonly schema: z.ZodType<number> }): (text: string) => number {
  return (text) => {
    const parsed = type.schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(`It ${parsed.error.issues[0]?.message ?? "is not valid"}.`);
  };
}
