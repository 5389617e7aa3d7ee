import type { Clock } from "../ports/clock.ts";
import type { Provider } from "../ports/provider.ts";
import type { Timer } from "../ports/timer.ts";
import { makeSimulatedProvider } from "./simulated/provider.ts";
import type { World } from "./simulated/world.ts";

/** What providers are made from; each takes what it needs. */
export interface ProviderParts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly simulated: { readonly world: World; readonly hostBound?: boolean };
}

/** One line per provider; a test holds it against the folders here. */
export const PROVIDERS: Readonly<Record<string, (parts: ProviderParts) => Provider>> = {
  simulated: ({ clock, timer, simulated }) => makeSimulatedProvider({ clock, timer, ...simulated }),
};

export function makeProviders(parts: ProviderParts): ReadonlyMap<string, Provider> {
  return new Map(Object.entries(PROVIDERS).map(([id, make]) => [id, make(parts)]));
}
