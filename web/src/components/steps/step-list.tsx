import { useMemo } from "react";
import type { Step } from "../../api/objects.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { groupBy } from "../../lib/group-by.ts";
import { WindowedRows } from "../layout/windowed-rows.tsx";
import { StepStatus } from "../status/job-status.tsx";
import { Status } from "../status/status.tsx";
import { LANE_LOOKS } from "../status/status-look.ts";
import { Took } from "../time/time.tsx";
import { taskOf, titleOfTask } from "./fold-steps.ts";
import { isOutOfReach } from "./host-lanes.ts";
import css from "./steps.module.css";

export interface StepListProps {
  readonly steps: readonly Step[];
  readonly chosen: string | null;
  readonly onChoose: (stepId: string) => void;
}

const ROW_PX = 36;

/** The steps in the order of the plan, by task. */
export function StepList({ steps, chosen, onChoose }: StepListProps) {
  const rows = useMemo(
    () => [...groupBy(steps, ({ id }) => taskOf(id))].flatMap(([task, inside]) => [task, ...inside]),
    [steps],
  );
  const shown = rows.findIndex((row) => typeof row !== "string" && row.id === chosen);
  return (
    <WindowedRows count={rows.length} rowHeight={ROW_PX} className={css.list} shown={shown}>
      {(index) => {
        const row = rows[index];
        if (row === undefined) return null;
        if (typeof row === "string") return <h3 className={css.module}>{titleOfTask(row)}</h3>;
        return <StepRow step={row} isChosen={row.id === chosen} onChoose={onChoose} />;
      }}
    </WindowedRows>
  );
}

export interface StepRowProps {
  readonly step: Step;
  readonly isChosen: boolean;
  readonly onChoose: (stepId: string) => void;
  /** Under what it belongs to. */
  readonly isInside?: boolean;
}

export function StepRow({ step, isChosen, onChoose, isInside = false }: StepRowProps) {
  const m = useMessages();
  return (
    <button
      type="button"
      className={css.step}
      aria-current={isChosen}
      data-inside={isInside}
      onClick={() => onChoose(step.id)}
    >
      <span className={css.stepTitle} title={step.title}>
        {step.title}
      </span>
      <span className={css.stepNote}>
        {step.startedTime === null || step.state === "Blocked" ? (
          isInside ? null : (
            step.host
          )
        ) : (
          <Took from={step.startedTime} to={step.finishedTime} />
        )}
      </span>
      {isOutOfReach(step) ? (
        <Status look={LANE_LOOKS.Unreachable}>{m.steps.laneStates.Unreachable}</Status>
      ) : (
        <StepStatus state={step.state} />
      )}
    </button>
  );
}
