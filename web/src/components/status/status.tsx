import type { ReactNode } from "react";
import css from "./status.module.css";
import type { Look, Tone } from "./status-look.ts";

export const toneClass = (tone: Tone): string => css[tone] ?? "";

export interface StatusProps {
  readonly look: Look;
  /** The word of the state, in the reader's language. */
  readonly children: ReactNode;
  /** On a tinted ground of its own. */
  readonly pill?: boolean;
  readonly detail?: ReactNode;
}

/** A state: sign, word and colour, everywhere the same. */
export function Status({ look, children, pill = false, detail }: StatusProps) {
  return (
    <span className={[css.status, toneClass(look.tone), pill ? css.pill : ""].join(" ")}>
      <StatusIcon look={look} />
      <span>{children}</span>
      {detail === undefined ? null : <span className={css.detail}>{detail}</span>}
    </span>
  );
}

export function StatusIcon({ look, size = 16 }: { readonly look: Look; readonly size?: number }) {
  const { icon: Icon, turns } = look;
  return <Icon size={size} stroke={2} aria-hidden className={turns === true ? css.turns : undefined} />;
}

/** How far something is; `label` names it for those who do not see the bar. */
export function ProgressBar({ percent, tone, label }: { percent: number; tone: Tone; label: string }) {
  return (
    <span
      className={`${css.bar} ${toneClass(tone)}`}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
