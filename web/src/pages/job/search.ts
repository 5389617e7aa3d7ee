import { readText, readWord } from "../../lib/search-params.ts";

export const JOB_VIEWS = ["hosts", "graph", "waterfall", "list"] as const;

export interface JobPageSearch {
  readonly view?: (typeof JOB_VIEWS)[number] | undefined;
  readonly step?: string | undefined;
  readonly host?: string | undefined;
}

export function readJobPageSearch(search: Readonly<Record<string, unknown>>): JobPageSearch {
  return { view: readWord(search.view, JOB_VIEWS), step: readText(search.step), host: readText(search.host) };
}
