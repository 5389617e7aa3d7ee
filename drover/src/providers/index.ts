import type { ContainerParts } from "../containers/container-parts.ts";
import { type ArtifactDepot, NO_DEPOT } from "../ports/artifact-depot.ts";
import { type BackupArchive, NO_ARCHIVE } from "../ports/backup-archive.ts";
import type { Clock } from "../ports/clock.ts";
import { NO_ENGINE } from "../ports/container-engine.ts";
import { type KubernetesApi, NO_KUBERNETES } from "../ports/kubernetes-api.ts";
import { type Machines, NO_MACHINES } from "../ports/machines.ts";
import type { Provider } from "../ports/provider.ts";
import type { Timer } from "../ports/timer.ts";
import { makeImportedProvider } from "./imported/provider.ts";
import type { ReadSecret } from "./imported/target.ts";
import type { K3dSettings } from "./k3d/host.ts";
import { makeK3dProvider } from "./k3d/provider.ts";
import type { KindSettings } from "./kind/host.ts";
import { makeKindProvider } from "./kind/provider.ts";
import { makeSimulatedProvider } from "./simulated/provider.ts";
import type { World } from "./simulated/world.ts";
import { makeSshProvider } from "./ssh/provider.ts";

/** What providers are made from; each takes what it needs. */
export interface ProviderParts {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Left out where nothing is looked at: in servers, which only need to know what providers can do. */
  readonly kubernetes?: KubernetesApi;
  readonly readSecret?: ReadSecret;
  /** The machines of clusters by SSH; left out in the same places. */
  readonly machines?: Machines;
  /** Where backups are kept; left out in the same places. */
  readonly archive?: BackupArchive;
  /** What brings artifacts from elsewhere; left out in the same places. */
  readonly depot?: ArtifactDepot;
  /** The Docker host of this machine; left out in the same places. */
  readonly docker?: Pick<ContainerParts, "engine" | "isPortFree">;
  readonly k3d?: K3dSettings;
  readonly kind?: KindSettings;
  readonly simulated: { readonly world: World; readonly hostBound?: boolean };
}

const NO_DOCKER = { engine: NO_ENGINE, isPortFree: async () => true };
const NO_KIND: KindSettings = { image: "", dockerHost: "", folder: "/nowhere" };

const NO_K3D: K3dSettings = { image: "", registryImage: null, dockerHost: "", patienceMs: 0 };

/** One line per provider; a test holds it against the folders here. */
export const PROVIDERS: Readonly<Record<string, (parts: ProviderParts) => Provider>> = {
  imported: ({ kubernetes = NO_KUBERNETES, readSecret = async () => null }) =>
    makeImportedProvider({ kubernetes, readSecret }),
  k3d: ({ timer, kubernetes = NO_KUBERNETES, docker = NO_DOCKER, k3d = NO_K3D }) =>
    makeK3dProvider({ ...docker, kubernetes, timer, settings: k3d }),
  kind: ({ timer, kubernetes = NO_KUBERNETES, docker = NO_DOCKER, kind = NO_KIND }) =>
    makeKindProvider({ ...docker, kubernetes, timer, settings: kind }),
  simulated: ({ clock, timer, simulated }) => makeSimulatedProvider({ clock, timer, ...simulated }),
  ssh: ({ kubernetes = NO_KUBERNETES, machines = NO_MACHINES, archive = NO_ARCHIVE, depot = NO_DEPOT, ...parts }) =>
    makeSshProvider({ clock: parts.clock, timer: parts.timer, kubernetes, machines, archive, depot }),
};

export function makeProviders(parts: ProviderParts): ReadonlyMap<string, Provider> {
  return new Map(Object.entries(PROVIDERS).map(([id, make]) => [id, make(parts)]));
}
