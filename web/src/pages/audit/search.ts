import { readText } from "../../lib/search-params.ts";

export interface AuditSearch {
  readonly actor?: string | undefined;
  readonly objectName?: string | undefined;
  /** The entry that is shown beside the list. */
  readonly entry?: string | undefined;
}

export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  return { actor: readText(search.actor), objectName: readText(search.objectName), entry: readText(search.entry) };
}
