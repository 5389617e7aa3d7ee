import { JOB_KINDS, JOB_STATES, type JobKind, type JobState } from "../../api/words.ts";
import { readText, readWords } from "../../lib/search-params.ts";

export interface JobSearch {
  readonly cluster?: string | undefined;
  readonly state?: readonly JobState[] | undefined;
  readonly kind?: readonly JobKind[] | undefined;
}

export function readJobSearch(search: Readonly<Record<string, unknown>>): JobSearch {
  return {
    cluster: readText(search.cluster),
    state: readWords(search.state, JOB_STATES),
    kind: readWords(search.kind, JOB_KINDS),
  };
}
