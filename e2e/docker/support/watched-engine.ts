import { DockerEngine } from "../../../drover/src/connectors/docker/docker-engine.ts";
import type { ContainerEngine } from "../../../drover/src/ports/container-engine.ts";
import { run } from "./docker-place.ts";

export interface WatchedEngine {
  readonly engine: ContainerEngine;
  /** From here on it is as if Docker were gone. */
  blind(): void;
  /** Volumes without a name of their own that containers of the prefix had, and that are still there: one line each. */
  volumesLeft(): Promise<readonly string[]>;
}

/** An engine that notes which volumes the containers with these names have: nothing else tells whose those are. */
export function watchEngine(docker: ContainerEngine, prefix: string): WatchedEngine {
  const volumes = new Set<string>();
  const nowhere = new DockerEngine({ host: "unix:///nowhere/docker.sock", certificates: null });
  let current = docker;
  const listContainers: ContainerEngine["listContainers"] = async (labels, signal) => {
    const containers = await current.listContainers(labels, signal);
    const own = containers.filter(({ name }) => name.startsWith(prefix) || name.startsWith(`k3d-${prefix}`));
    for (const { volume } of own.flatMap(({ mounts }) => mounts)) if (isAnonymous(volume)) volumes.add(volume);
    return containers;
  };
  return {
    engine: new Proxy(docker, {
      get: (_, name: keyof ContainerEngine) =>
        name === "listContainers" ? listContainers : current[name].bind(current),
    }),
    blind: () => {
      current = nowhere;
    },
    volumesLeft: async () => {
      await listContainers([], new AbortController().signal);
      const there = new Set(run("docker", "volume", "ls", "--format", "{{.Name}}").split("\n"));
      return [...volumes].filter((volume) => there.has(volume)).map((_, index) => `anonymous volume ${index}`);
    },
  };
}

const isAnonymous = (volume: string | null): volume is string => volume !== null && /^[0-9a-f]{64}$/.test(volume);
