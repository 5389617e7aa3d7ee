import type { Step } from "../../api/objects.ts";
import { groupBy } from "../../lib/group-by.ts";
import { StepStatus } from "../status/job-status.tsx";
import { Took } from "../time/time.tsx";
import { taskOf, titleOfTask } from "./fold-steps.ts";
import css from "./steps.module.css";

export interface StepListProps {
  readonly steps: readonly Step[];
  readonly chosen: string | null;
  readonly onChoose: (stepId: string) => void;
}

/** The steps in the order of the plan, by task. */
export function StepList({ steps, chosen, onChoose }: StepListProps) {
  const tasks = groupBy(steps, ({ id }) => taskOf(id));
  return (
    <div className={css.list}>
      {[...tasks].map(([task, inside]) => (
        <section key={task} aria-label={titleOfTask(task)}>
          <h3 className={css.module}>{titleOfTask(task)}</h3>
          {inside.map((step) => (
            <button
              key={step.id}
              type="button"
              className={css.step}
              aria-current={step.id === chosen}
              onClick={() => onChoose(step.id)}
            >
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
          ))}
        </section>
      ))}
    </div>
  );
}
