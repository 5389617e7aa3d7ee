import { type Sighting, unseen } from "../../src/domain/sighting.ts";
import type { Provider } from "../../src/ports/provider.ts";
import type { Gate } from "./gate.ts";
import type { Oracle } from "./oracle.ts";
import type { SimulationTime } from "./simulation-time.ts";

interface WatchParts {
  readonly worker: string;
  readonly gate: Gate;
  readonly oracle: Oracle;
  readonly time: SimulationTime;
}

/** The provider as one worker sees through it: the oracle learns of every look, and a look may tell nothing, or the past. */
export function watchProvider(provider: Provider, { worker, gate, oracle, time }: WatchParts): Provider {
  const told = new Map<string, Sighting>();
  const isImpaired = (): boolean => gate.sight.until > time.monotonic();
  return {
    ...provider,
    observe: async (clusters, options) => {
      const before = clusters.map(({ id }) => oracle.countObjects(id));
      const seen = await provider.observe(clusters, options);
      return clusters.map((cluster, index) => {
        const truth = seen[index] ?? unseen("Simulated: nothing was said.");
        const isThere = before[index] !== 0 && oracle.countObjects(cluster.id) > 0;
        if (truth.presence === "absent" && isThere) oracle.blame("unknown", `${worker} took ${cluster.name} for gone`);
        const sighting = isImpaired() ? impair(gate.sight.how, told.get(cluster.id) ?? truth) : truth;
        if (!isImpaired()) told.set(cluster.id, truth);
        oracle.sees(worker, cluster, sighting.presence);
        return sighting;
      });
    },
  };
}

const impair = (how: Gate["sight"]["how"], past: Sighting): Sighting =>
  how === "stale" ? past : unseen("Simulated: nobody could look.");
