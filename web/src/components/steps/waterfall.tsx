import { useMessages } from "../../i18n/use-language.tsx";
import { formatStopwatch } from "../../lib/duration.ts";
import { WindowedRows } from "../layout/windowed-rows.tsx";
import { toneClass } from "../status/status.tsx";
import { STEP_LOOKS } from "../status/status-look.ts";
import { useNow } from "../time/use-now.ts";
import type { StepListProps } from "./step-list.tsx";
import css from "./steps.module.css";

const ROW_PX = 28;

/** When each step began and how long it took, side by side. */
export function Waterfall({ steps, chosen, onChoose }: StepListProps) {
  const m = useMessages();
  const now = useNow();
  const ran = steps.flatMap(({ startedTime, finishedTime, ...step }) => {
    if (startedTime === null) return [];
    const from = new Date(startedTime).getTime();
    return [{ ...step, from, to: finishedTime === null ? Math.max(now, from) : new Date(finishedTime).getTime() }];
  });
  const first = ran.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  const whole = Math.max(1, ran.reduce((most, { to }) => Math.max(most, to), 0) - first);
  const share = (ms: number) => `${(ms / whole) * 100}%`;
  return (
    <WindowedRows
      count={ran.length}
      rowHeight={ROW_PX}
      className={css.waterfall}
      shown={ran.findIndex(({ id }) => id === chosen)}
    >
      {(index) => {
        const row = ran[index];
        if (row === undefined) return null;
        const { id, title, state, from, to } = row;
        return (
          <div className={css.fall}>
            <button
              type="button"
              className={css.fallName}
              title={title}
              aria-current={id === chosen}
              aria-label={m.steps.fall(title, m.stepStates[state], formatStopwatch(to - from))}
              onClick={() => onChoose(id)}
            >
              {title}
            </button>
            <div className={css.fallTrack} aria-hidden>
              <div
                className={`${css.fallBar} ${toneClass(STEP_LOOKS[state].tone)}`}
                style={{ left: share(from - first), width: share(to - from) }}
              />
            </div>
            <div className={css.fallTook} aria-hidden>
              {formatStopwatch(to - from)}
            </div>
          </div>
        );
      }}
    </WindowedRows>
  );
}
