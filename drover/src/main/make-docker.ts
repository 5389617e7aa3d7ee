import { homedir } from "node:os";
import { join } from "node:path";
import { DockerEngine } from "../connectors/docker/docker-engine.ts";
import { isPortFree } from "../connectors/local/is-port-free.ts";
import type { ContainerParts } from "../containers/container-parts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Docker as the options and its own variables say where it is. Nothing is asked yet. */
export function makeDocker(host: string, environment: Environment): Pick<ContainerParts, "engine" | "isPortFree"> {
  const { DOCKER_TLS_VERIFY: verifies, DOCKER_CERT_PATH: folder } = environment;
  const usesTls = verifies !== undefined && verifies !== "" && !host.startsWith("unix://");
  const certificates = usesTls ? folder || join(homedir(), ".docker") : null;
  return {
    engine: new DockerEngine({ host, certificates }),
    // What is free on this machine says nothing about another one.
    isPortFree: isHere(host) ? isPortFree : async () => true,
  };
}

const isHere = (host: string): boolean => /^unix:|^\w+:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|$)/.test(host);
