import { useMemo } from "react";
import type { Step } from "../../api/objects.ts";
import { groupBy } from "../../lib/group-by.ts";
import { WindowedRows } from "../layout/windowed-rows.tsx";
import { StepStatus } from "../status/job-status.tsx";
import { Took } from "../time/time.tsx";
import { taskOf, titleOfTask } from "./fold-steps.ts";
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

interface StepRowProps {
  readonly step: Step;
  readonly isChosen: boolean;
  readonly onChoose: (stepId: string) => void;
}

function StepRow({ step, isChosen, onChoose }: StepRowProps) {
  return (
    <button type="button" className={css.step} aria-current={isChosen} onClick={() => onChoose(step.id)}>
      <span className={css.stepTitle} title={step.title}>
        {step.title}
      </span>
      <span className={css.stepNote}>
        {step.startedTime === null || step.state === "Blocked" ? (
          step.host
        ) : (
          <Took from={step.startedTime} to={step.finishedTime} />
        )}
      </span>
      <StepStatus state={step.state} />
    </button>
  );
}
