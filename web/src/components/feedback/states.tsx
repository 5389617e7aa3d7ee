import type { Role } from "@drover/contract";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ApiError } from "../../api/api-error.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { ErrorPanel } from "./error-panel.tsx";
import css from "./feedback.module.css";

export interface EmptyProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
}

/** Nothing is there, why, and what to do about it. */
export function Empty({ title, text, actions }: EmptyProps) {
  return (
    <div className={css.state}>
      <h2>{title}</h2>
      {text === undefined ? null : <p>{text}</p>}
      {actions === undefined ? null : <div className={css.actions}>{actions}</div>}
    </div>
  );
}

/** Not for the role of whoever looks, and which role it is for. */
export function Forbidden({ needs }: { readonly needs: Role }) {
  const m = useMessages();
  return <Empty title={m.errorCodes.forbidden.title} text={m.common.needsRole(m.roles[needs])} />;
}

/** Stands where something will be; shows itself only when that takes a while. */
export function Bones({ rows = 4 }: { readonly rows?: number }) {
  const m = useMessages();
  return (
    <div className={css.bones} role="status" aria-label={m.common.loading} data-loading>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={css.bone} style={{ width: `${92 - ((index * 23) % 40)}%` }} />
      ))}
    </div>
  );
}

export interface LoadedProps<T> {
  readonly query: UseQueryResult<T, ApiError>;
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** What was read, as soon as there is anything; else bones, or what went wrong. What is shown stays when a read fails. */
export function Loaded<T>({ query, rows, children }: LoadedProps<T>) {
  const { data, error, refetch } = query;
  if (data !== undefined) {
    return (
      <>
        {error === null ? null : <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {children(data)}
      </>
    );
  }
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return <Bones {...(rows === undefined ? {} : { rows })} />;
}
