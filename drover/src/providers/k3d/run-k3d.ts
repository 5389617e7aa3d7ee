import { runTool } from "../../containers/run-tool.ts";
import type { StepContext } from "../../ports/step.ts";
import type { K3dSettings } from "./host.ts";
import { percentOf, readLine } from "./progress.ts";

export interface K3dEnd {
  readonly ok: boolean;
  /** What it said on the levels error and fatal, in order. */
  readonly errors: readonly string[];
}

const BAD = new Set(["error", "fatal"]);

/**
 * Runs k3d on this machine, with what it says as the log of the step. Secrets are given to it as input, never as
 * arguments. Rejects when it cannot be started or had to be ended.
 */
export async function runK3d(
  context: StepContext,
  settings: K3dSettings,
  args: readonly string[],
  stdin = "",
): Promise<K3dEnd> {
  const errors: string[] = [];
  const { ok } = await runTool(context, {
    argv: ["k3d", ...args],
    stdin,
    environment: { LOG_COLORS: "false", DOCKER_HOST: settings.dockerHost },
    percentOf: (line) => {
      const read = readLine(line);
      return read === null ? null : percentOf(read);
    },
    show: (line) => {
      const read = readLine(line);
      if (read !== null && BAD.has(read.level)) errors.push(read.message);
      return read?.message ?? null;
    },
  });
  return { ok, errors };
}
