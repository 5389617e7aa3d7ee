import { Button, Checkbox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import { ErrorPanel } from "../feedback/error-panel.tsx";
import { Bones } from "../feedback/states.tsx";
import { useKeys } from "../shell/use-keys.tsx";
import css from "./list.module.css";
import type { Selection } from "./selection.ts";
import type { KeysetList } from "./use-keyset-pages.ts";
import { RowTurns, useRowTurn } from "./use-row-turns.ts";
import { useSettledOrder } from "./use-settled-order.ts";

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  /** As in CSS grid: "120px", "2fr", "minmax(120px, 1fr)". */
  readonly width: string;
  readonly cell: (row: T) => ReactNode;
  /** The name that the server sorts by. */
  readonly sort?: string;
  readonly align?: "end";
  /** Not on narrow screens. */
  readonly wide?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

export interface ResourceTableProps<T> {
  /** What the table lists, for those who do not see it. */
  readonly label: string;
  /** What is listed; with another one the table begins at its top. */
  readonly identity: string;
  readonly list: KeysetList<T>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  /** What happens with Enter or a double click on a row. */
  readonly onOpen?: (row: T) => void;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
  readonly selection?: Selection;
  /** Shown instead of rows when there are none. */
  readonly empty: ReactNode;
  /** How many there are in all, where that is known. */
  readonly total?: number | undefined;
  readonly bulk?: ReactNode;
  readonly rowHeight?: number;
  /** Keys for the row that has the focus. */
  readonly rowKeys?: Readonly<Record<string, (row: T) => void>>;
}

const ROW_PX = 44;
const REST_MS = 200;
/** As many as a large screen shows at first. */
const FIRST_ROWS = 60;

/**
 * The list of everything: rows are windowed, change in place, can be walked with j and k, marked with x and opened with
 * Enter. It shows what the server sorted, filtered and counted; it does none of that itself.
 */
export function ResourceTable<T>(props: ResourceTableProps<T>) {
  const { label, identity, list, keyOf, selection, empty, total, bulk, rowHeight = ROW_PX } = props;
  const m = useMessages();
  const isNarrow = useMediaQuery("(width < 900px)") ?? false;
  const columns = useMemo(
    () => props.columns.filter(({ wide }) => !(isNarrow && wide === true)),
    [props.columns, isNarrow],
  );
  const latest = useRef(props);
  latest.current = props;
  const scroll = useRef<HTMLDivElement>(null);
  const sought = useRef<number>(undefined);
  const [at, setAt] = useState(0);
  const [isAtTop, setAtTop] = useState(true);
  const hasFocus = () => scroll.current?.contains(document.activeElement) === true;
  const hands = useMemo<Hands<T>>(
    () => ({
      focus: setAt,
      open: (row) => latest.current.onOpen?.(row),
      toggle: (key) => latest.current.selection?.toggle(key),
    }),
    [],
  );
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- another list begins with all of its first rows
  const turns = useMemo(() => new RowTurns(FIRST_ROWS), [identity]);
  const { rows, moved, apply } = useSettledOrder(
    list.rows,
    identity,
    keyOf,
    isAtTop && (selection?.keys.size ?? 0) === 0 && !hasFocus(),
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // A frame of a scroll that waited for all rows to be drawn would be a long one.
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  // As the virtualizer has read it: asking the element once more would have the page laid out within the scroll.
  const atTop = (virtual.scrollOffset ?? 0) < rowHeight;
  useEffect(() => setAtTop(atTop), [atTop]);
  const lastShown = items.at(-1)?.index ?? -1;
  const { hasMore, loadMore, watch } = list;
  const firstShown = items[0]?.index ?? 0;
  // Once the scroll rests: to turn from page to page in the middle of it would cost frames.
  useEffect(() => {
    const timer = setTimeout(() => watch(firstShown, Math.max(firstShown, lastShown)), REST_MS);
    return () => clearTimeout(timer);
  }, [watch, firstShown, lastShown]);
  useEffect(() => {
    if (hasMore && lastShown >= rows.length - 30) loadMore();
  });
  // Another list begins at its top.
  useEffect(() => {
    setAt(0);
    scroll.current?.scrollTo({ top: 0 });
  }, [identity]);

  const focusRow = (index: number) => {
    const next = Math.min(Math.max(index, 0), rows.length - 1);
    setAt(next);
    virtual.scrollToIndex(next);
    sought.current = next;
    focusSought();
  };
  const focusSought = () => {
    if (sought.current === undefined) return;
    const found = scroll.current?.querySelector<HTMLElement>(`[data-index="${sought.current}"]`);
    if (found == null) return;
    sought.current = undefined;
    found.focus();
  };
  // A row that was far away is drawn some frames later, and the one that had the focus is gone by then.
  useEffect(focusSought);
  const row = rows[at];
  const toggle = () => row !== undefined && selection?.toggle(keyOf(row));
  useKeys({
    j: () => focusRow(hasFocus() ? at + 1 : at),
    k: () => focusRow(hasFocus() ? at - 1 : at),
    ...(selection === undefined ? {} : { x: toggle }),
    ...Object.fromEntries(
      Object.entries(props.rowKeys ?? {}).map(([key, act]) => [key, () => row !== undefined && hasFocus() && act(row)]),
    ),
  });
  const hear = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget && !(event.target as HTMLElement).hasAttribute("data-index")) return;
    const moves: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -1e9,
      End: 1e9,
    };
    const by = moves[event.key];
    if (by !== undefined) focusRow(at + by);
    else if (event.key === "Enter" && row !== undefined) props.onOpen?.(row);
    else if (event.key === " " && selection !== undefined) toggle();
    else return;
    event.preventDefault();
  };

  if (list.isLoading && list.error === null)
    return (
      <Frame>
        <Bones rows={8} />
      </Frame>
    );
  if (rows.length === 0 && list.error !== null) {
    return (
      <Frame>
        <ErrorPanel error={list.error} onRetry={list.refetch} />
      </Frame>
    );
  }
  if (rows.length === 0) return <Frame>{empty}</Frame>;
  const template = [selection === undefined ? "" : "20px", ...columns.map(({ width }) => width)].join(" ");
  return (
    <Frame>
      {list.error === null ? null : <ErrorPanel error={list.error} onRetry={list.refetch} />}
      <div ref={scroll} className={list.isOutdated ? `${css.scroll} ${css.outdated}` : css.scroll}>
        <div
          className={css.grid}
          role="grid"
          aria-label={label}
          aria-rowcount={total ?? rows.length}
          aria-multiselectable={selection !== undefined}
          tabIndex={-1}
          style={{ "--columns": template } as React.CSSProperties}
          onKeyDown={hear}
        >
          <Head {...{ columns, rows, keyOf, selection }} sorting={props.sorting} onSort={props.onSort} />
          <div className={css.body} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start, size }) => {
              const one = rows[index];
              if (one === undefined) return null;
              const key = keyOf(one);
              return (
                <Row
                  key={key}
                  {...{ row: one, rowKey: key, index, start, size, columns, hands, turns }}
                  isCurrent={index === at}
                  isSelected={selection?.keys.has(key)}
                />
              );
            })}
          </div>
        </div>
      </div>
      {bulk}
      <div className={css.notes}>
        <span role="status">{total === undefined ? m.list.shown(rows.length) : m.list.of(rows.length, total)}</span>
        {moved === 0 ? null : (
          <Button size="compact-xs" variant="light" onClick={apply}>
            {m.list.moved(moved)}
          </Button>
        )}
        {list.isLoadingMore ? <span>{m.common.loading}</span> : null}
      </div>
    </Frame>
  );
}

/** What rows do to their table. It stays the same, so that rows are drawn anew only when they change. */
interface Hands<T> {
  readonly focus: (index: number) => void;
  readonly open: (row: T) => void;
  readonly toggle: (key: string) => void;
}

interface RowProps<T> {
  readonly row: T;
  readonly rowKey: string;
  readonly index: number;
  readonly start: number;
  readonly size: number;
  readonly columns: readonly Column<T>[];
  readonly hands: Hands<T>;
  readonly turns: RowTurns;
  readonly isCurrent: boolean;
  readonly isSelected: boolean | undefined;
}

const Row = memo(function Row<T>({
  row,
  rowKey,
  index,
  start,
  size,
  columns,
  hands,
  turns,
  isCurrent,
  isSelected,
}: RowProps<T>) {
  const m = useMessages();
  const shown = useRowTurn(turns) ? columns : columns.slice(0, 1);
  return (
    <div
      role="row"
      className={css.row}
      data-index={index}
      tabIndex={isCurrent ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ height: size, top: start }}
      onFocus={() => hands.focus(index)}
      onDoubleClick={() => hands.open(row)}
    >
      {isSelected === undefined ? null : (
        <div role="gridcell" tabIndex={-1} className={css.cell}>
          <input
            type="checkbox"
            className={css.check}
            tabIndex={-1}
            checked={isSelected}
            aria-label={m.list.select(rowKey)}
            onChange={() => hands.toggle(rowKey)}
          />
        </div>
      )}
      {shown.map(({ id, cell, align }) => (
        <div key={id} role="gridcell" tabIndex={-1} className={align === "end" ? `${css.cell} ${css.end}` : css.cell}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}) as <T>(props: RowProps<T>) => ReactNode;

const Frame = ({ children }: { readonly children: ReactNode }) => <div className={css.frame}>{children}</div>;

type HeadProps<T> = Pick<ResourceTableProps<T>, "columns" | "keyOf"> & {
  readonly rows: readonly T[];
  readonly selection: Selection | undefined;
  readonly sorting: Sorting | undefined;
  readonly onSort: ResourceTableProps<T>["onSort"] | undefined;
};

const Head = memo(function Head<T>({ columns, rows, keyOf, selection, sorting, onSort }: HeadProps<T>) {
  const m = useMessages();
  const chosen = selection?.keys.size ?? 0;
  const all = chosen > 0 && rows.every((row) => selection?.keys.has(keyOf(row)) === true);
  return (
    <div role="rowgroup">
      <div className={css.head} role="row" aria-rowindex={1} tabIndex={-1}>
        {selection === undefined ? null : (
          <div role="columnheader" className={css.cell} tabIndex={-1}>
            <Checkbox
              size="xs"
              checked={all}
              indeterminate={chosen > 0 && !all}
              aria-label={m.list.selectShown}
              onChange={() => selection.set(all ? [] : rows.map(keyOf))}
            />
          </div>
        )}
        {columns.map(({ id, header, sort, align }) => (
          <div
            key={id}
            role="columnheader"
            tabIndex={-1}
            className={align === "end" ? `${css.cell} ${css.end}` : css.cell}
            aria-sort={
              sort === undefined || sorting?.by !== sort ? undefined : sorting.descending ? "descending" : "ascending"
            }
          >
            {sort === undefined || onSort === undefined ? (
              header
            ) : (
              <button
                type="button"
                className={css.sort}
                onClick={() => onSort({ by: sort, descending: sorting?.by === sort && !sorting.descending })}
              >
                {header}
                {sorting?.by !== sort ? null : sorting.descending ? (
                  <IconArrowDown size={14} aria-hidden />
                ) : (
                  <IconArrowUp size={14} aria-hidden />
                )}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}) as <T>(props: HeadProps<T>) => ReactNode;
