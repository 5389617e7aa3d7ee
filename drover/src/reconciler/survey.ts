import type { FoundOnHost } from "../domain/found-clusters.ts";
import type { Provider } from "../ports/provider.ts";
import { sleep, type Timer } from "../ports/timer.ts";

export interface SurveyDependencies {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly timer: Timer;
  readonly everyMs: number;
  /** Called once for each reason, until it works again: a host without Docker is no fault, and stays one for long. */
  readonly onUnable: (provider: string, why: string) => void;
}

/** More than one host bears; bounds what a worker says of itself. */
const MOST = 200;
const PATIENCE_MS = 30_000;

/** Looks now and then at what there is on this host, so that people are told of what nobody here has declared. */
export class Survey {
  readonly #deps: SurveyDependencies;
  readonly #told = new Map<string, string>();
  #found: readonly FoundOnHost[] = [];

  constructor(deps: SurveyDependencies) {
    this.#deps = deps;
  }

  get found(): readonly FoundOnHost[] {
    return this.#found;
  }

  async run(stop: AbortSignal): Promise<void> {
    const local = [...this.#deps.providers.values()].filter(({ capabilities }) => capabilities.hostBound);
    if (local.length === 0) return;
    while (!stop.aborted) {
      this.#found = (await Promise.all(local.map((provider) => this.#list(provider, stop)))).flat().slice(0, MOST);
      await sleep(this.#deps.timer, this.#deps.everyMs, stop);
    }
  }

  /** Whoever cannot look says nothing of what there may be. */
  async #list(provider: Provider, stop: AbortSignal): Promise<readonly FoundOnHost[]> {
    const late = new AbortController();
    const callOff = this.#deps.timer.after(PATIENCE_MS, () => late.abort(new Error("It took too long.")));
    try {
      const found = await provider.list(AbortSignal.any([stop, late.signal]));
      this.#told.delete(provider.id);
      return found.map(({ name, clusterId }) => ({ provider: provider.id, name, clusterId }));
    } catch (error) {
      if (!stop.aborted) this.#tell(provider.id, error instanceof Error ? error.message : String(error));
      return [];
    } finally {
      callOff();
    }
  }
  #tell(provider: string, why: string): void {
    if (this.#told.get(provider) === why) return;
    this.#told.set(provider, why);
    this.#deps.onUnable(provider, why);
  }
}
