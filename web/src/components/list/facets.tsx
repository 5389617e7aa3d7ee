import { useFormat } from "../../i18n/use-format.ts";
import { StatusIcon, toneClass } from "../status/status.tsx";
import type { Look } from "../status/status-look.ts";
import css from "./list.module.css";

export interface Facet {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly look?: Look;
}

export interface FacetsProps {
  readonly label: string;
  readonly facets: readonly Facet[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Filters by one property: every value with how many there are of it; several can be on. */
export function Facets({ label, facets, chosen, onChange }: FacetsProps) {
  const format = useFormat();
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <div className={css.facets} role="group" aria-label={label}>
      {facets.map(({ value, label: name, count, look }) => (
        <button
          key={value}
          type="button"
          className={css.facet}
          aria-pressed={chosen.includes(value)}
          onClick={() => toggle(value)}
        >
          {look === undefined ? null : (
            <span className={`${css.facetIcon} ${toneClass(look.tone)}`}>
              <StatusIcon look={{ ...look, turns: false }} size={15} />
            </span>
          )}
          {name}
          {count === undefined ? null : <b>{format.number(count)}</b>}
        </button>
      ))}
    </div>
  );
}
