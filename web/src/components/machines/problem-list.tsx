import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleX } from "@tabler/icons-react";
import type { MachineProblem } from "../../api/objects.ts";
import { describeProblem } from "../../i18n/describe-error.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { copyText } from "../copy/copy-text.ts";
import { Status } from "../status/status.tsx";
import type { Look } from "../status/status-look.ts";
import css from "./machines.module.css";

const LOOKS: Readonly<Record<MachineProblem["severity"], Look>> = {
  error: { tone: "bad", icon: IconCircleX },
  warning: { tone: "warn", icon: IconAlertTriangle },
};

/** What is in the way, and the command that mends it. */
export function ProblemList({ problems }: { readonly problems: readonly MachineProblem[] }) {
  const m = useMessages();
  return (
    <ul className={css.problems}>
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.message}`}>
          <Status look={LOOKS[problem.severity]}>{describeProblem(m, problem)}</Status>
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
