import type { ReactNode } from "react";
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
}

/** What differs, field by field. */
export function DifferenceTable({ differences, before, after }: DifferenceTableProps) {
  const m = useMessages();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={css.scroll} tabIndex={0}>
      <table className={css.diff}>
        <thead>
          <tr>
            <th scope="col">{m.diff.field}</th>
            <th scope="col">{before}</th>
            <th scope="col">{after}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ path, before: old, after: next, note }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
                {note === undefined ? null : <div className={css.note}>{note}</div>}
              </th>
              <td className={css.old}>
                <Value value={old} />
              </td>
              <td className={css.new}>
                <Value value={next} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value }: { readonly value: unknown }) {
  const m = useMessages();
  if (value === undefined || value === null) return <span className={css.nothing}>{m.diff.nothing}</span>;
  return <code>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</code>;
}
