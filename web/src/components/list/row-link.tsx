import { useNavigate } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import css from "./list.module.css";

/** The link in a row of a long list: as light as a link can be, since a scroll makes dozens of them in a frame. */
export function RowLink({ to, children }: { readonly to: string; readonly children: string }) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to });
  };
  return (
    <a href={to} className={css.link} title={children} tabIndex={-1} onClick={follow}>
      {children}
    </a>
  );
}
