import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleX } from "@tabler/icons-react";
import type { Machine, MachineProblem } from "../../api/objects.ts";
import { describeProblem, describeReason } from "../../i18n/describe-error.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { copyText } from "../copy/copy-text.ts";
import { Status } from "../status/status.tsx";
import type { Look } from "../status/status-look.ts";
import css from "./machines.module.css";

const LOOKS: Readonly<Record<MachineProblem["severity"], Look>> = {
  error: { tone: "bad", icon: IconCircleX },
  warning: { tone: "warn", icon: IconAlertTriangle },
};

interface ProblemListProps {
  readonly problems: readonly MachineProblem[];
  /** Whose problems they are: it knows better than they do why it is out of reach. */
  readonly machine?: Machine | null;
}

/** What is in the way, and the command that mends it. */
export function ProblemList({ problems, machine }: ProblemListProps) {
  const m = useMessages();
  const describe = (problem: MachineProblem) =>
    machine != null && machine.reason !== null && machine.message === problem.message
      ? describeReason(m, machine)
      : describeProblem(m, problem);
  return (
    <ul className={css.problems}>
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.message}`}>
          <Status look={LOOKS[problem.severity]}>{describe(problem)}</Status>
          <p>{problem.next}</p>
          {problem.command === null ? null : (
            <div className={css.command}>
              <code>{problem.command}</code>
              <Button size="compact-xs" variant="default" onClick={() => void copyText(problem.command ?? "")}>
                {m.common.copy}
              </Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
