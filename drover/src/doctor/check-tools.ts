import { type Finding, ok, warning } from "../domain/finding.ts";
import { CommandError } from "../lib/command-error.ts";
import type { HostParts } from "./host-parts.ts";

interface Tool {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** Finds the version in what it prints. */
  readonly version: RegExp;
  readonly neededFor: string;
  /** What gets it, to be pasted. */
  readonly get: (platform: HostParts["platform"]) => string;
}

const install = (name: string, url: string) =>
  `curl -fsSLo ${name} ${url} && chmod +x ${name} && sudo mv ${name} /usr/local/bin/${name}`;

/** The versions that Drover was tried with. */
const TOOLS: readonly Tool[] = [
  {
    name: "kind",
    argv: ["kind", "version"],
    version: /kind (v\S+)/,
    neededFor: "clusters of kind",
    get: ({ system, architecture }) =>
      install("kind", `https://kind.sigs.k8s.io/dl/v0.32.0/kind-${system}-${architecture}`),
  },
  {
    name: "k3d",
    argv: ["k3d", "version"],
    version: /k3d version (v\S+)/,
    neededFor: "clusters of k3d",
    get: ({ system, architecture }) =>
      install("k3d", `https://github.com/k3d-io/k3d/releases/download/v5.9.0/k3d-${system}-${architecture}`),
  },
  {
    name: "kubectl",
    argv: ["kubectl", "version", "--client"],
    version: /Client Version: (v\S+)/,
    neededFor: "people who work with the clusters; Drover does without it",
    get: ({ system, architecture }) =>
      install("kubectl", `https://dl.k8s.io/release/v1.36.1/bin/${system}/${architecture}/kubectl`),
  },
];

const PATIENCE_MS = 10_000;

export async function checkTools(parts: HostParts, signal: AbortSignal): Promise<readonly Finding[]> {
  return await Promise.all(TOOLS.map((tool) => checkTool(parts, tool, signal)));
}

async function checkTool(
  { programs, platform }: HostParts,
  { name, argv, version, neededFor, get }: Tool,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const { stdout, stderr, exitCode } = await programs.run({ argv }, { deadlineMs: PATIENCE_MS, signal });
    const found = version.exec(stdout)?.[1];
    if (exitCode === 0 && found !== undefined) return ok(name, found);
    const said = `${stderr}${stdout}`.trim().split("\n")[0] ?? "";
    return warning(name, `does not say its version: ${said}. It is needed for ${neededFor}.`, get(platform));
  } catch (error) {
    const isMissing = error instanceof CommandError && error.reason === "not-found";
    const why = isMissing ? "is not there" : `cannot be run: ${error instanceof Error ? error.message : String(error)}`;
    return warning(name, `${why}. It is needed for ${neededFor}.`, get(platform));
  }
}
