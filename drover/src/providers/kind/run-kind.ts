import { join } from "node:path";
import { runTool, type ToolEnd } from "../../containers/run-tool.ts";
import { runOrThrow } from "../../ports/connector.ts";
import type { StepContext } from "../../ports/step.ts";
import type { KindSettings } from "./host.ts";
import { percentOf, show } from "./progress.ts";

/** Where the nodes of a cluster that a job makes have their mark from. Nothing is in there: the nodes can read it. */
export function markFolder({ folder }: KindSettings, { cluster, job }: Pick<StepContext, "cluster" | "job">): string {
  return join(folder, cluster.id, job.id);
}

/**
 * Runs kind on this machine. It insists on writing a kubeconfig somewhere, under a lock that it leaves behind when it is
 * killed: each run gets a folder that nothing was in before, and that is gone afterwards.
 */
export async function runKind(
  context: StepContext,
  settings: KindSettings,
  args: readonly string[],
  input: { readonly stdin?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<ToolEnd> {
  const scratch = join(settings.folder, context.cluster.id, "scratch");
  const connector = await context.connect("local");
  await runOrThrow(connector, { argv: ["rm", "-rf", "--", scratch] });
  await runOrThrow(connector, { argv: ["mkdir", "-p", "-m", "700", "--", scratch] });
  try {
    return await runTool(context, {
      argv: ["kind", ...args, "--name", context.cluster.name, ...kubeconfigFlag(args, scratch)],
      environment: { DOCKER_HOST: settings.dockerHost, ...input.environment },
      ...(input.stdin === undefined ? {} : { stdin: input.stdin }),
      percentOf,
      show,
    });
  } finally {
    // After a stop nothing more is run through this connector; the next run begins by removing it.
    if (!context.signal.aborted) await runOrThrow(connector, { argv: ["rm", "-rf", "--", scratch] });
  }
}

/** Never the user's own. */
function kubeconfigFlag([verb]: readonly string[], scratch: string): readonly string[] {
  return verb === "create" ? ["--kubeconfig", join(scratch, "kubeconfig")] : [];
}

export async function makeMarkFolder(context: StepContext, settings: KindSettings): Promise<string> {
  const folder = markFolder(settings, context);
  const connector = await context.connect("local");
  await runOrThrow(connector, { argv: ["mkdir", "-p", "-m", "755", "--", folder] });
  return folder;
}

/** Everything of ours for the cluster on the disk of this machine. */
export async function removeFolder(context: StepContext, { folder }: KindSettings): Promise<void> {
  const connector = await context.connect("local");
  await runOrThrow(connector, { argv: ["rm", "-rf", "--", join(folder, context.cluster.id)] });
}
