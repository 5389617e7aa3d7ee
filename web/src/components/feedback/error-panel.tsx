import { Button } from "@mantine/core";
import { IconAlertTriangle, IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type ApiError, isApiError } from "../../api/api-error.ts";
import { describeError, describeProblem } from "../../i18n/describe-error.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./feedback.module.css";

export interface ErrorPanelProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** What can be done about it here. */
  readonly children?: ReactNode;
}

/** What went wrong, right where it did: the fact, the cause, the next move, and the id under which the log has it. */
export function ErrorPanel({ error, onRetry, children }: ErrorPanelProps) {
  const m = useMessages();
  if (!isApiError(error)) return <Plain title={m.errors.unexpected} text={error.message} />;
  const { title, hint, detail } = describeError(m, error);
  const isForbidden = error.code === "forbidden";
  return (
    <div className={isForbidden ? `${css.error} ${css.warn}` : css.error} role="alert">
      {isForbidden ? <IconLock size={18} aria-hidden /> : <IconAlertTriangle size={18} aria-hidden />}
      <div>
        <h3>{title}</h3>
        {detail === undefined ? null : <p>{detail}</p>}
        <Problems error={error} />
        <p>{hint}</p>
        <p className={css.fine}>
          <code>{error.code}</code>
          {error.details.requestId === undefined ? null : <> · {m.errors.request(error.details.requestId)}</>}
        </p>
        {onRetry === undefined ? (
          children
        ) : (
          <div>
            <Button size="xs" variant="default" onClick={onRetry} style={{ alignSelf: "flex-start" }}>
              {m.common.tryAgain}
            </Button>
            {children}
          </div>
        )}
      </div>
    </div>
  );
}

function Plain({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className={css.error} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
    </div>
  );
}

function Problems({ error }: { readonly error: ApiError }) {
  const m = useMessages();
  if (error.problems.length === 0) return null;
  return (
    <ul className={css.problems}>
      {error.problems.map((problem) => (
        <li key={`${problem.path}${problem.code}${problem.message}`}>
          {problem.path === "" ? null : <code>{problem.path}</code>} {describeProblem(m, problem)}
        </li>
      ))}
    </ul>
  );
}
