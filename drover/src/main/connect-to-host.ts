import { makeChildEnvironment } from "../connectors/local/child-environment.ts";
import { LocalConnector } from "../connectors/local/local-connector.ts";
import type { Connect } from "../ports/connect.ts";
import type { Connector } from "../ports/connector.ts";
import type { Machines } from "../ports/machines.ts";

export interface HostOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where programs are looked for. */
  readonly searchPath?: string | undefined;
  /** How long a step has to stop. */
  readonly stepGraceMs: number;
}

/** What kind and k3d, and the Docker that they call, have to know of where they are. */
const FOR_DOCKER = [
  ...["DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "DOCKER_HOST"],
  ...["K3D_IMAGE_LOADBALANCER", "K3D_IMAGE_TOOLS"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
];

/** Then helpers, which are plain Node.js, could not be started: they know nothing of what loads the sources here. */
const RUNS_FROM_SOURCES = import.meta.url.endsWith(".ts");

/** One for all steps of a process that act on its own machine. */
export function makeLocalConnector({ environment, searchPath, stepGraceMs }: HostOptions): LocalConnector {
  return new LocalConnector({
    environment: makeChildEnvironment({ inherited: environment, searchPath, allow: FOR_DOCKER }),
    // A program that does not end by itself has to be killed while somebody still waits for its step.
    graceMs: stepGraceMs / 2,
    ...(RUNS_FROM_SOURCES ? {} : { helpers: { size: 2 } }),
  });
}

/** How steps reach the machines that they name. */
export const makeConnect =
  (local: Connector, machines: Machines): Connect =>
  async (host, cluster) =>
    host === local.host ? local : await machines.connect(cluster, host);
