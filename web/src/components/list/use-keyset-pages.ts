import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  useQueries,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ApiError } from "../../api/api-error.ts";

export interface KeysetPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface PageReader<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<KeysetPage<T>>;
}

export interface KeysetList<T> {
  readonly rows: readonly T[];
  /** Nothing has been read yet. */
  readonly isLoading: boolean;
  /** What is shown belongs to the filter before; what was asked for is on its way. */
  readonly isOutdated: boolean;
  readonly error: ApiError | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  /** These rows are looked at: their pages are kept up to date, the others when somebody comes to them. */
  readonly watch: (first: number, last: number) => void;
  readonly refetch: () => void;
}

/**
 * A list that the server gives page by page. Every page is read by itself, so that a change in one row of ten thousand
 * costs the reading of one page; each begins where the one before it ends now, so that no row falls between two.
 */
export function useKeysetPages<T>(
  /** What is listed; another list begins with its first page. */
  identity: string,
  readPage: (after: string | undefined) => PageReader<T>,
  keyOf: (row: T) => string,
): KeysetList<T> {
  const [asked, setAsked] = useState<{ identity: string; cursors: readonly (string | undefined)[] }>({
    identity,
    cursors: [undefined],
  });
  const cursors = asked.identity === identity ? asked.cursors : [undefined];
  const client = useQueryClient();
  const [near, setNear] = useState<PageRange>(EVERY_PAGE);
  const pages = useQueries({
    queries: cursors.map((after, index): UseQueryOptions<KeysetPage<T>, ApiError> => {
      const page = readPage(after);
      const isNear = index >= near.first - 1 && index <= near.last + 1;
      const enabled = isNear || client.getQueryData(page.queryKey) === undefined;
      return { ...page, enabled, placeholderData: keepPreviousData };
    }),
  });
  const read = useRef<readonly (KeysetPage<T> | undefined)[]>([]);
  read.current = pages.map(({ data }) => data);
  const watch = useCallback((first: number, last: number) => {
    const next = findPages(read.current, first, last);
    setNear((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, []);
  const following = pages.map(({ data, isPlaceholderData }) => (isPlaceholderData ? undefined : data?.next));
  const settled = cursors.map((cursor, index) => (index === 0 ? undefined : (following[index - 1] ?? cursor)));
  const isMoved = settled.some((cursor, index) => cursor !== cursors[index]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- ends by itself once the cursors are settled
  useEffect(() => {
    if (isMoved) setAsked({ identity, cursors: settled });
  });
  const last = pages.at(-1);
  const next = last?.isPlaceholderData === true ? null : (last?.data?.next ?? null);
  const rows = useJoined(
    pages.map(({ data }) => data),
    keyOf,
  );
  return {
    rows,
    isLoading: pages[0]?.isPending === true,
    isOutdated: pages[0]?.isPlaceholderData === true,
    error: pages.find(({ error }) => error !== null)?.error ?? null,
    hasMore: next !== null,
    isLoadingMore: pages.length > 1 && last?.isPending === true,
    loadMore: () => {
      if (next !== null && !cursors.includes(next)) setAsked({ identity, cursors: [...cursors, next] });
    },
    watch,
    refetch: () => {
      for (const page of pages) void page.refetch();
    },
  };
}

interface PageRange {
  readonly first: number;
  readonly last: number;
}

const EVERY_PAGE: PageRange = { first: 0, last: Number.POSITIVE_INFINITY };

/** Which pages the rows from `first` to `last` are on. */
export function findPages(pages: readonly (KeysetPage<unknown> | undefined)[], first: number, last: number): PageRange {
  let end = 0;
  const ends = pages.map((page) => (end += page?.items.length ?? 0));
  const pageOf = (row: number) => {
    const found = ends.findIndex((one) => row < one);
    return found === -1 ? Math.max(0, pages.length - 1) : found;
  };
  return { first: pageOf(first), last: pageOf(last) };
}

/** The rows of all pages; the same array for as long as no page has changed and none was added. */
function useJoined<T>(pages: readonly (KeysetPage<T> | undefined)[], keyOf: (row: T) => string): readonly T[] {
  const kept = useRef<{ readonly pages: typeof pages; readonly rows: readonly T[] }>(undefined);
  const isSame =
    kept.current?.pages.length === pages.length && pages.every((page, index) => page === kept.current?.pages[index]);
  if (kept.current === undefined || !isSame) kept.current = { pages, rows: joinPages(pages, keyOf) };
  return kept.current.rows;
}

/** While pages are read anew one after the other, a row can be in two of them: it is shown once. */
export function joinPages<T>(pages: readonly (KeysetPage<T> | undefined)[], keyOf: (row: T) => string): readonly T[] {
  const seen = new Set<string>();
  return pages.flatMap((page) => (page?.items ?? []).filter((row) => seen.size !== seen.add(keyOf(row)).size));
}
