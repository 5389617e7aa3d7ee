import { watchCluster } from "../lib/docker-clusters.mjs";
import { startDroverOnDocker } from "../lib/drover-on-docker.mjs";

/** Some clusters that are declared together, of which so many are worked on at once. */
export function fleetOnDocker({ version, clusters, atOnce }) {
  const names = Array.from({ length: clusters }, (_, index) => `bench${process.pid}-${atOnce}-${index}`);
  const spec = { provider: "kind", kubernetes: { version }, kind: {} };
  return {
    name: `${atOnce} at once`,
    prepare: async () => {
      const drover = await startDroverOnDocker({ DROVER_MAX_STEPS_ON_DOCKER: String(atOnce) });
      const watched = watchCluster(drover, "kind");
      return {
        measure: async () => {
          for (const name of names) watched.made(name);
          const start = performance.now();
          const each = await Promise.all(
            names.map(async (name) => {
              await drover.create(name, spec);
              return (performance.now() - start) / 1_000;
            }),
          );
          return { "all-s": Math.max(...each), "first-s": Math.min(...each) };
        },
        dispose: async () => {
          for (const name of names) {
            await drover.remove(name);
            watched.removed(name);
          }
          await drover.stop();
        },
      };
    },
  };
}
