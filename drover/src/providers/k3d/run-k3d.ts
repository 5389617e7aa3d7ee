import type { StepContext } from "../../ports/step.ts";
import type { K3dSettings } from "./host.ts";
import { percentOf, readLine } from "./progress.ts";

export interface K3dEnd {
  readonly ok: boolean;
  /** What it said on the levels error and fatal, in order. */
  readonly errors: readonly string[];
}

/** Only these show what went wrong; the fatal line of a failed create says no more than that it failed. */
const BAD = new Set(["error", "fatal"]);

/**
 * Runs k3d on this machine, with what it says as the log of the step. Secrets are given to it as input, never as
 * arguments. Rejects when it cannot be started or had to be ended.
 */
export async function runK3d(
  context: StepContext,
  settings: K3dSettings,
  args: readonly string[],
  input: { readonly stdin?: string; readonly onPercent?: (percent: number) => void } = {},
): Promise<K3dEnd> {
  const connector = await context.connect("local");
  const errors: string[] = [];
  const result = await connector.run(
    {
      argv: ["k3d", ...args],
      environment: environmentOf(settings),
      ...(input.stdin === undefined ? {} : { stdin: input.stdin }),
    },
    {
      signal: context.signal,
      onLine: (line, stream) => {
        const read = readLine(line);
        if (read === null) return;
        if (BAD.has(read.level)) errors.push(read.message);
        context.log(read.message, stream);
        const percent = percentOf(read);
        if (percent !== null) input.onPercent?.(percent);
      },
    },
  );
  return { ok: result.exitCode === 0, errors };
}

function environmentOf({ loadBalancerImage, toolsImage }: K3dSettings): Record<string, string> {
  return {
    LOG_COLORS: "false",
    ...(loadBalancerImage === undefined ? {} : { K3D_IMAGE_LOADBALANCER: loadBalancerImage }),
    ...(toolsImage === undefined ? {} : { K3D_IMAGE_TOOLS: toolsImage }),
  };
}
