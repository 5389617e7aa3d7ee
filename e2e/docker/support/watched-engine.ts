import { DockerEngine } from "../../../drover/src/connectors/docker/docker-engine.ts";
import type { ContainerEngine } from "../../../drover/src/ports/container-engine.ts";
import { run } from "./docker-place.ts";

export interface WatchedEngine {
  readonly engine: ContainerEngine;
  /** From here on it is as if Docker were gone. */
  blind(): void;
  /** Volumes without a name of their own that containers of the prefix had, and that are still there: one line each. */
  volumesLeft(): readonly string[];
}

/** An engine that notes which volumes the containers with these names have: nothing else tells whose those are. */
export function watchEngine(docker: ContainerEngine, prefix: string): WatchedEngine {
  const volumes = new Set<string>();
  const nowhere = new DockerEngine({ host: "unix:///nowhere/docker.sock", certificates: null });
  let current = docker;
  const engine = new Proxy(docker, {
    get: (_, name: keyof ContainerEngine) => {
      if (name !== "listContainers") return current[name].bind(current);
      return async (...asked: Parameters<ContainerEngine["listContainers"]>) => {
        const containers = await current.listContainers(...asked);
        const own = containers.filter((one) => one.name.startsWith(prefix) || one.name.startsWith(`k3d-${prefix}`));
        for (const { volume } of own.flatMap(({ mounts }) => mounts)) if (isAnonymous(volume)) volumes.add(volume);
        return containers;
      };
    },
  });
  return {
    engine,
    blind: () => {
      current = nowhere;
    },
    volumesLeft: () => {
      const there = new Set(run("docker", "volume", "ls", "--format", "{{.Name}}").split("\n"));
      return [...volumes].filter((volume) => there.has(volume)).map((_, index) => `anonymous volume ${index}`);
    },
  };
}

const isAnonymous = (volume: string | null): volume is string => volume !== null && /^[0-9a-f]{64}$/.test(volume);
