import { type Finding, ok, warning } from "../domain/finding.ts";
import { CommandError } from "../lib/command-error.ts";
import { canRun } from "./can-run.ts";
import type { HostParts } from "./host-parts.ts";
import { installDocker, installProgram } from "./next-moves.ts";

interface Tool {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** Finds the version in what it prints. */
  readonly version: RegExp;
  /** A sentence: who wants it. */
  readonly use: string;
  /** Where its newest version that is known here can be had. */
  readonly url: (system: string, architecture: string) => string;
}

const TOOLS: readonly Tool[] = [
  {
    name: "kind",
    argv: ["kind", "version"],
    version: /kind (v\S+)/,
    use: "Clusters of kind need it.",
    url: (system, architecture) => `https://kind.sigs.k8s.io/dl/v0.32.0/kind-${system}-${architecture}`,
  },
  {
    name: "k3d",
    argv: ["k3d", "version"],
    version: /k3d version (v\S+)/,
    use: "Clusters of k3d need it.",
    url: (system, architecture) =>
      `https://github.com/k3d-io/k3d/releases/download/v5.9.0/k3d-${system}-${architecture}`,
  },
  {
    name: "kubectl",
    argv: ["kubectl", "version", "--client"],
    version: /Client Version: (v\S+)/,
    use: "Drover does without it; you may want it to work with your clusters.",
    url: (system, architecture) => `https://dl.k8s.io/release/v1.36.1/bin/${system}/${architecture}/kubectl`,
  },
];

const PATIENCE_MS = 10_000;

export async function checkTools(parts: HostParts, signal: AbortSignal): Promise<readonly Finding[]> {
  const hasCurl = await canRun(parts, "curl");
  return await Promise.all(TOOLS.map((tool) => checkTool(parts, tool, hasCurl, signal)));
}

async function checkTool(
  { programs, platform }: HostParts,
  { name, argv, version, use, url }: Tool,
  hasCurl: boolean,
  signal: AbortSignal,
): Promise<Finding> {
  const next = installProgram(platform, name, url(platform.system, platform.architecture), hasCurl);
  try {
    const { stdout, stderr, exitCode } = await programs.run({ argv }, { deadlineMs: PATIENCE_MS, signal });
    const found = version.exec(stdout)?.[1];
    if (exitCode === 0 && found !== undefined) return ok(name, found);
    const said = `${stderr}${stdout}`.trim().split("\n")[0] ?? "";
    return warning(name, `It does not say its version: ${said}. ${use}`, next);
  } catch (error) {
    const isMissing = error instanceof CommandError && error.reason === "not-found";
    const why = isMissing
      ? "It is not installed."
      : `It cannot be run: ${error instanceof Error ? error.message : String(error)}`;
    return warning(name, `${why} ${use}`, next);
  }
}

/** Docker may answer where its command is missing, which kind calls. */
export async function checkDockerCommand(parts: HostParts): Promise<readonly Finding[]> {
  if (await canRun(parts, "docker")) return [];
  const detail = "It is not installed, though Docker answers. Clusters of kind need it.";
  return [warning("docker command", detail, installDocker(parts.platform))];
}
