import { type Finding, warning } from "../domain/finding.ts";
import { checkDocker } from "./check-docker.ts";
import { checkHostPorts } from "./check-host-ports.ts";
import { checkImages } from "./check-images.ts";
import { checkInotify } from "./check-kernel.ts";
import { checkDockerCommand, checkTools } from "./check-tools.ts";
import type { HostParts } from "./host-parts.ts";

/** What clusters on this machine need of it. Looks, and changes nothing; never throws. */
export async function examineHost(parts: HostParts, signal: AbortSignal): Promise<readonly Finding[]> {
  const [docker, ...others] = await Promise.all([
    checkDocker(parts, signal),
    orFailure("Tools", () => checkTools(parts, signal)),
    orFailure("File watches", () => checkInotify(parts)),
    orFailure("Ports", async () => [await checkHostPorts(parts)]),
  ]);
  if (!docker.answers) return [...docker.findings, ...others.flat()];
  const [command, images] = await Promise.all([
    orFailure("docker command", () => checkDockerCommand(parts)),
    orFailure("Images", () => checkImages(parts, signal)),
  ]);
  return [...docker.findings, ...command, ...others.flat(), ...images];
}

/** One thing that cannot be looked at keeps nobody from hearing of the others. */
async function orFailure(check: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [warning(check, `could not be looked at: ${why}`, "drover doctor")];
  }
}
