import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./diff.module.css";

export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly note?: ReactNode;
}

interface DifferenceTableProps {
  readonly differences: readonly Difference[];
  readonly before: string;
  readonly after: string;
  /** One of the two is not newer than the other: what is wanted beside what is there. */
  readonly isDrift?: boolean;
}

/** So many are there at once; of more, only those that can be seen, in a window that scrolls by itself. */
const WHOLE_ROWS = 200;
const ROW_PX = 40;

/** What differs, field by field. */
export function DifferenceTable({ differences, before, after, isDrift = false }: DifferenceTableProps) {
  const m = useMessages();
  const scroll = useRef<HTMLDivElement>(null);
  const isWindowed = differences.length > WHOLE_ROWS;
  const virtual = useVirtualizer({
    count: isWindowed ? differences.length : 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const indexes = isWindowed ? items.map(({ index }) => index) : differences.map((_, index) => index);
  const [above, below] = [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div ref={scroll} className={isWindowed ? `${css.scroll} ${css.window}` : css.scroll} tabIndex={0}>
      <table className={css.diff} aria-rowcount={differences.length + 1}>
        <thead>
          <tr>
            <th scope="col">{m.diff.field}</th>
            <th scope="col">{before}</th>
            <th scope="col">{after}</th>
          </tr>
        </thead>
        <tbody>
          {isWindowed ? <Gap height={above} /> : null}
          {indexes.map((index) => {
            const difference = differences[index];
            if (difference === undefined) return null;
            const { path, before: old, after: next, note } = difference;
            return (
              <tr
                key={path}
                ref={isWindowed ? virtual.measureElement : null}
                data-index={index}
                aria-rowindex={index + 2}
              >
                <th scope="row">
                  <code>{path}</code>
                  {note === undefined ? null : <div className={css.note}>{note}</div>}
                </th>
                <td className={isDrift ? undefined : css.old}>
                  <Value value={old} />
                </td>
                <td className={isDrift ? css.strayed : css.new}>
                  <Value value={next} />
                </td>
              </tr>
            );
          })}
          {isWindowed ? <Gap height={below} /> : null}
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows that are not there. */
const Gap = ({ height }: { readonly height: number }) => <tr aria-hidden style={{ height }} />;

export function Value({ value }: { readonly value: unknown }) {
  const m = useMessages();
  if (value === undefined || value === null) return <span className={css.nothing}>{m.diff.nothing}</span>;
  return <code>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</code>;
}
