import { watchCluster } from "../lib/docker-clusters.mjs";

/** From the request until the job has ended, nodes Ready and all, by a Drover that runs already. */
export function droverOnDocker({ drover, tool, version, workers }) {
  const name = `bench${process.pid}-drover`;
  const counts = tool === "kind" ? { controlPlanes: 1, workers } : { servers: 1, agents: workers };
  const spec = { provider: tool, kubernetes: { version }, [tool]: counts };
  const watched = watchCluster(drover, tool);
  return {
    name: `drover with ${tool}`,
    prepare: async () => ({
      measure: async () => {
        watched.made(name);
        const start = performance.now();
        await drover.create(name, spec);
        const made = performance.now();
        await drover.remove(name);
        const removed = performance.now();
        watched.removed(name);
        return { "create-s": (made - start) / 1_000, "delete-s": (removed - made) / 1_000 };
      },
      dispose: async () => {},
    }),
  };
}
