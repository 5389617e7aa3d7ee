import {
  keepPreviousData,
  type QueryKey,
  queryOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { ApiError } from "./api-error.ts";
import { type Answer, type CallRequest, callApi, type RouteName, type TableName } from "./client.ts";

/** How a route is read into the cache. The key says what of; `apply-events.ts` knows which events touch it. */
export function apiQuery<T extends TableName, N extends RouteName<T>>(
  key: QueryKey,
  table: T,
  name: N,
  request: CallRequest<T, N>,
) {
  return queryOptions<Answer<T, N>, ApiError>({
    queryKey: [...key, name, request],
    queryFn: ({ signal }) => callApi(table, name, { ...request, signal }),
  });
}

/** How one page of a list is read: for useKeysetPages, which puts the pages together. */
export function apiPage<T extends TableName, N extends RouteName<T>>(
  key: QueryKey,
  table: T,
  name: N,
  request: CallRequest<T, N>,
) {
  return {
    queryKey: [...key, name, request] as QueryKey,
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Answer<T, N>> =>
      callApi(table, name, { ...request, signal }),
  };
}

interface UseApiOptions {
  readonly enabled?: boolean;
  /** Show what was there before while something else is read. */
  readonly keep?: boolean;
}

export function useApi<T extends TableName, N extends RouteName<T>>(
  key: QueryKey,
  table: T,
  name: N,
  request: CallRequest<T, N>,
  { enabled = true, keep = false }: UseApiOptions = {},
): UseQueryResult<Answer<T, N>, ApiError> {
  const options = apiQuery(key, table, name, request);
  return useQuery({ ...options, enabled, ...(keep ? { placeholderData: keepPreviousData } : {}) } as typeof options);
}

/** A change through the API; what it touches is read anew when it was taken. */
export function useChange<T extends TableName, N extends RouteName<T>>(
  table: T,
  name: N,
  refresh: readonly QueryKey[],
): UseMutationResult<Answer<T, N>, ApiError, CallRequest<T, N>> {
  const client = useQueryClient();
  return useMutation<Answer<T, N>, ApiError, CallRequest<T, N>>({
    mutationFn: (request) => callApi(table, name, request),
    onSuccess: () => {
      for (const queryKey of refresh) void client.invalidateQueries({ queryKey });
    },
  });
}
