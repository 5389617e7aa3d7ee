import { type Finding, ok, warning } from "../domain/finding.ts";
import type { EngineInfo } from "../ports/container-engine.ts";
import type { HostParts } from "./host-parts.ts";

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
    const why = error instanceof Error ? error.message : String(error);
    const detail = `${why} Clusters of kind and k3d need it.`;
    return { findings: [warning("Docker", detail, await startDocker(parts, why))], answers: false };
  }
  const { version, apiVersion, operatingSystem } = info;
  return {
    answers: true,
    findings: [
      ok("Docker", `${version} (API ${apiVersion}) on ${operatingSystem}`),
      checkControlGroups(info),
      checkMemory(info),
      ...(await checkSpace(parts, info)),
    ],
  };
}

/** A Docker that is not there, one that does not run, and one that this user may not ask are three things. */
async function startDocker(parts: HostParts, why: string): Promise<string> {
  if (!parts.dockerHost.startsWith("unix://")) return `Start the Docker at ${parts.dockerHost}, or set --docker-host.`;
  if (/EACCES|permission denied/i.test(why)) return 'sudo usermod -aG docker "$USER" && newgrp docker';
  const isInstalled = await parts.programs.run({ argv: ["docker", "--version"] }, { deadlineMs: 5_000 }).then(
    () => true,
    () => false,
  );
  if (!isInstalled) return "curl -fsSL https://get.docker.com | sudo sh";
  return parts.platform.system === "darwin" ? "open -a Docker" : "sudo systemctl start docker";
}

const BOOT_WITH_V2 =
  "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&systemd.unified_cgroup_hierarchy=1 /' /etc/default/grub && sudo update-grub && sudo reboot";

function checkControlGroups({ cgroupVersion }: EngineInfo): Finding {
  if (cgroupVersion === 2) return ok("Control groups", "version 2");
  return warning("Control groups", "version 1, which newer versions of Kubernetes refuse", BOOT_WITH_V2);
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
