import { MODIFIERS, type Modifier, PHASES, type Phase, PROVIDER_NAMES, type Provider } from "../../api/words.ts";
import { readFlag, readText, readWord, readWords } from "../../lib/search-params.ts";

const SORTS = ["name", "created", "updated", "phase"] as const;

/** Everything that decides what the list of clusters shows. A saved view is nothing but these. */
export interface ClusterSearch {
  readonly q?: string | undefined;
  readonly phase?: readonly Phase[] | undefined;
  readonly modifier?: readonly Modifier[] | undefined;
  readonly provider?: readonly Provider[] | undefined;
  readonly sort?: (typeof SORTS)[number] | undefined;
  readonly descending?: true | undefined;
  readonly view?: "heatmap" | undefined;
}

export function readClusterSearch(search: Readonly<Record<string, unknown>>): ClusterSearch {
  return {
    q: readText(search.q),
    phase: readWords(search.phase, PHASES),
    modifier: readWords(search.modifier, MODIFIERS),
    provider: readWords(search.provider, PROVIDER_NAMES),
    sort: readWord(search.sort, SORTS),
    descending: readFlag(search.descending),
    view: readWord(search.view, ["heatmap"] as const),
  };
}
