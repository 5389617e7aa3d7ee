import { countProcesses } from "../lib/count-processes.mjs";

/** One look of the provider at all clusters, with a client that has seen none of them before, then two more. */
export function kindLook({ drover, folder, clusters, workers }) {
  return {
    name: "drover",
    prepare: async () => {
      const { DockerEngine, KubernetesClient, makeKindProvider, systemClock, systemTimer } = await loadParts(drover);
      const dockerHost = `unix://${folder}/docker.sock`;
      const engine = new DockerEngine({ host: dockerHost, certificates: null });
      const programs = { run: () => Promise.reject(new Error("A look starts no program.")) };
      const provider = makeKindProvider({
        engine,
        kubernetes: new KubernetesClient({ clock: systemClock, timer: systemTimer, programs }),
        timer: systemTimer,
        isPortFree: async () => true,
        settings: { image: "kindest/node:{version}", dockerHost, folder },
      });
      const spec = { provider: "kind", kubernetes: { version: "v1.34.4" }, kind: { controlPlanes: 1, workers } };
      const wanted = clusters.map(({ id, name }) => ({ id, name, generation: 1, spec }));
      const look = async (thorough) => {
        const start = performance.now();
        const seen = await provider.observe(wanted, { signal: new AbortController().signal, thorough });
        const seconds = (performance.now() - start) / 1_000;
        for (const sighting of seen) assertWell(sighting, thorough, workers + 1);
        return seconds;
      };
      return {
        measure: async () => {
          const before = process.cpuUsage();
          const { answer, processes } = await countProcesses(async () => ({
            "first-s": await look(true),
            "again-s": await look(true),
            "quick-s": await look(false),
          }));
          const { user, system } = process.cpuUsage(before);
          return { ...answer, "cpu-s": (user + system) / 1_000_000, processes };
        },
        dispose: async () => engine.close(),
      };
    },
  };
}

function assertWell(sighting, thorough, nodes) {
  const { presence, complete, reachable, drift, nodesReady } = sighting;
  const isWell = presence === "present" && complete && reachable === true && drift.length === 0;
  if (isWell && (!thorough || nodesReady === nodes)) return;
  throw new Error(`A cluster was not seen as it is: ${JSON.stringify(sighting)}`);
}

async function loadParts({ load }) {
  const modules = await Promise.all(
    [
      "connectors/docker/docker-engine.js",
      "connectors/kubernetes/kubernetes-client.js",
      "providers/kind/provider.js",
      "ports/clock.js",
      "ports/timer.js",
    ].map(load),
  );
  return Object.assign({}, ...modules);
}
