import type { UseQueryResult } from "@tanstack/react-query";
import type { ApiError } from "../../api/api-error.ts";
import type { KeysetList } from "./use-keyset-pages.ts";

const NOTHING: readonly never[] = [];

/** A list that the server gives at once, for the table that also shows those which come page by page. */
export function wholeList<T>(query: UseQueryResult<{ readonly items: readonly T[] }, ApiError>): KeysetList<T> {
  return {
    rows: query.data?.items ?? NOTHING,
    isLoading: query.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
    ...{ isOutdated: false, hasMore: false, isLoadingMore: false, loadMore: () => {}, watch: doNothing },
  };
}

/** Always the same one, since the table asks anew for another. */
const doNothing = (): void => {};
