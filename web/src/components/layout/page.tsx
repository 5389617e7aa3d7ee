import { type ReactNode, useEffect } from "react";
import css from "./page.module.css";

export interface PageProps {
  readonly title: string;
  /** In place of the plain title, where it needs more than text. */
  readonly heading?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** The page takes the height of the window and its parts scroll, rather than the page. */
  readonly full?: boolean;
  readonly children: ReactNode;
}

/** A page: title, what can be done, and the rest. The title is also that of the window. */
export function Page({ title, heading, subtitle, actions, full = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Drover`;
  }, [title]);
  return (
    <div className={full ? `${css.page} ${css.full}` : css.page}>
      <header className={css.head}>
        <div className={css.titles}>
          <h1>{heading ?? title}</h1>
          {subtitle === undefined ? null : <div className={css.subtitle}>{subtitle}</div>}
        </div>
        {actions === undefined ? null : <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export interface PanelProps {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  /** Without room around its content. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Panel({ title, actions, flush = false, children }: PanelProps) {
  return (
    <section className={css.panel}>
      <div className={css.panelHead}>
        <h2>{title}</h2>
        {actions}
      </div>
      <div className={flush ? css.flush : css.panelBody}>{children}</div>
    </section>
  );
}

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and values, one under the other. What has no value is left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl className={css.facts}>
      {facts.map((fact) =>
        fact === null ? null : (
          <div key={fact.name} style={{ display: "contents" }}>
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
