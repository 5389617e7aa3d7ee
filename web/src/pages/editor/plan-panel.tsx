import { IconAlertTriangle, IconArrowRight } from "@tabler/icons-react";
import type { ApiError } from "../../api/api-error.ts";
import type { Plan } from "../../api/objects.ts";
import { Value } from "../../components/diff/difference-table.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Bones } from "../../components/feedback/states.tsx";
import { isOwnHost } from "../../components/steps/fold-steps.ts";
import type { Mark } from "../../components/yaml/yaml-document.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { groupBy } from "../../lib/group-by.ts";
import css from "./editor.module.css";

interface PlanPanelProps {
  readonly plan: Plan | undefined;
  readonly error: ApiError | null;
  readonly isPlanning: boolean;
  readonly marks: readonly Mark[];
  /** Whether somebody means to make it, or to change it. */
  readonly isNew: boolean;
  readonly exists: boolean;
  readonly onRetry: () => void;
}

/** The very steps that would run, before anything does. */
export function PlanPanel({ plan, error, isPlanning, marks, isNew, exists, onRetry }: PlanPanelProps) {
  const m = useMessages();
  if (marks.length > 0) {
    return (
      <ul className={`${css.plan} ${css.problems}`} aria-label={m.editor.problems}>
        {marks.map(({ from, line, message }) => (
          <li key={`${from} ${message}`}>
            <IconAlertTriangle size={16} aria-hidden />
            <span>
              <b>{m.editor.line(line)}</b> {message}
            </span>
          </li>
        ))}
      </ul>
    );
  }
  if (error !== null && error.problems.length === 0) {
    return (
      <div className={css.plan}>
        <ErrorPanel error={error} onRetry={onRetry} />
      </div>
    );
  }
  if (plan === undefined) return isPlanning ? <Bones rows={6} /> : <p className={css.plan}>{m.editor.nothingToPlan}</p>;
  const modules = groupBy(plan.steps, ({ module }) => module);
  return (
    <div className={css.plan} aria-busy={isPlanning}>
      <p>
        <b>{plan.hash === null ? m.editor.noChange : m.editor.planSteps(plan.steps.length)}</b>{" "}
        {plan.hash === null || !exists ? null : <span className={css.soft}>{m.changeClasses[plan.change]}</span>}
      </p>
      {isNew && exists ? (
        <p className={css.warn} role="alert">
          {m.editor.existsAlready}
        </p>
      ) : null}
      {plan.consent.length === 0 ? null : (
        <div className={css.warn}>
          <p>{m.editor.destroys}</p>
          <ul>
            {plan.consent.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {!exists || plan.differences.length === 0 ? null : (
        <ul className={css.changes} aria-label={m.editor.changes}>
          {plan.differences.map(({ path, before, after, change, reason }) => (
            <li key={path}>
              <code className={css.path}>{path}</code>
              <span className={css.values}>
                <del>
                  <Value value={before} />
                </del>
                <IconArrowRight size={14} aria-hidden />
                <ins>
                  <Value value={after} />
                </ins>
              </span>
              <span className={css.soft}>{reason === "" ? m.changeClasses[change] : reason}</span>
            </li>
          ))}
        </ul>
      )}
      <div className={css.planSteps}>
        {[...modules].map(([module, steps]) => (
          <section key={module}>
            <h3>{module}</h3>
            <ol>
              {steps.map(({ id, title, host, changes }) => (
                <li key={id}>
                  {title} {isOwnHost(host) || title.includes(host) ? null : <span className={css.soft}>{host}</span>}
                  {changes.map((text) => (
                    <div key={text} className={css.soft}>
                      {text}
                    </div>
                  ))}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </div>
  );
}
