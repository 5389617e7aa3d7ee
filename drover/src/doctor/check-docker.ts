import { type Finding, ok, warning } from "../domain/finding.ts";
import type { EngineInfo } from "../ports/container-engine.ts";
import { canRun } from "./can-run.ts";
import type { HostParts } from "./host-parts.ts";
import { asRoot, installDocker, startDocker } from "./next-moves.ts";

const GIB = 1_073_741_824;
/** A node image takes a gigabyte, and each node writes some more. */
const ENOUGH_SPACE = 10 * GIB;
/** What one small cluster takes. */
const ENOUGH_MEMORY = 2 * GIB;

export interface SeenDocker {
  readonly findings: readonly Finding[];
  readonly answers: boolean;
}

/** Whether Docker can be asked, and what the machine that it runs on is like. */
export async function checkDocker(parts: HostParts, signal: AbortSignal): Promise<SeenDocker> {
  let info: EngineInfo;
  try {
    info = await parts.engine.describe(signal);
  } catch (error) {
    return { findings: [await explainSilence(parts, error)], answers: false };
  }
  const { version, apiVersion, operatingSystem } = info;
  return {
    answers: true,
    findings: [
      ok("Docker", `${version} (API ${apiVersion}) on ${operatingSystem}`),
      checkControlGroups(parts, info),
      checkMemory(info),
      ...(await checkSpace(parts, info)),
    ],
  };
}

/** A Docker that is not there, one that does not run, and one that this user may not ask are three things. */
async function explainSilence(parts: HostParts, error: unknown): Promise<Finding> {
  const { platform, dockerHost } = parts;
  const needed = "Clusters of kind and k3d need it.";
  const tell = (what: string, next: string) => warning("Docker", `${what} ${needed}`, next);
  if (!dockerHost.startsWith("unix://")) {
    return tell(messageOf(error), `Start the Docker at ${dockerHost}, or set --docker-host.`);
  }
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") {
    const next = 'sudo usermod -aG docker "$USER" && newgrp docker';
    return tell(`You may not use ${dockerHost}: you are not in the group docker.`, next);
  }
  if (code !== "ENOENT" && code !== "ECONNREFUSED") return tell(messageOf(error), startDocker(platform));
  if (await canRun(parts, "docker"))
    return tell(`It does not run: ${dockerHost} does not answer.`, startDocker(platform));
  return tell(`It is not installed: there is neither ${dockerHost} nor the command docker.`, installDocker(platform));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
}

/** Without the reboot itself: what is pasted must not end everything on the machine. */
const BOOT_WITH_V2 = [
  "sed -i 's/^GRUB_CMDLINE_LINUX=\"/&systemd.unified_cgroup_hierarchy=1 /' /etc/default/grub",
  "update-grub",
];

function checkControlGroups({ platform }: HostParts, { cgroupVersion }: EngineInfo): Finding {
  if (cgroupVersion === 2) return ok("Control groups", "version 2");
  const next = BOOT_WITH_V2.map((command) => asRoot(platform, command)).join(" && ");
  return warning(
    "Control groups",
    "version 1, which newer versions of Kubernetes refuse; the next move takes effect when the machine is started again",
    next,
  );
}

function checkMemory({ memoryBytes, cpus }: EngineInfo): Finding {
  const detail = `${(memoryBytes / GIB).toFixed(1)} GiB and ${cpus} processors for containers`;
  if (memoryBytes >= ENOUGH_MEMORY) return ok("Docker memory", detail);
  return warning("Docker memory", detail, "Give Docker 2 GiB or more; each cluster needs about one.");
}

async function checkSpace(parts: HostParts, { dataRoot }: EngineInfo): Promise<readonly Finding[]> {
  const free = await parts.freeSpace(dataRoot);
  if (free === null) return [];
  const detail = `${(free / GIB).toFixed(1)} GiB free below ${dataRoot}`;
  if (free >= ENOUGH_SPACE) return [ok("Docker disk", detail)];
  return [warning("Docker disk", `${detail}; a node image takes 1 GiB`, "docker image prune")];
}
