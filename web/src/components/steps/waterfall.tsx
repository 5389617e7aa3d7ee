import { useMessages } from "../../i18n/use-language.tsx";
import { formatStopwatch } from "../../lib/duration.ts";
import { toneClass } from "../status/status.tsx";
import { STEP_LOOKS } from "../status/status-look.ts";
import { useNow } from "../time/use-now.ts";
import type { StepListProps } from "./step-list.tsx";
import css from "./steps.module.css";

/** When each step began and how long it took, side by side. */
export function Waterfall({ steps, chosen, onChoose }: StepListProps) {
  const m = useMessages();
  const now = useNow();
  const ran = steps.flatMap(({ startedTime, finishedTime, ...step }) => {
    if (startedTime === null) return [];
    const from = new Date(startedTime).getTime();
    return [{ ...step, from, to: finishedTime === null ? Math.max(now, from) : new Date(finishedTime).getTime() }];
  });
  const first = Math.min(...ran.map(({ from }) => from));
  const whole = Math.max(1, Math.max(...ran.map(({ to }) => to)) - first);
  const share = (ms: number) => `${(ms / whole) * 100}%`;
  return (
    <div className={css.waterfall}>
      {ran.map(({ id, title, state, from, to }) => (
        <div key={id} className={css.fall}>
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
      ))}
    </div>
  );
}
