import { CloseButton } from "@mantine/core";
import type { ReactNode } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./list.module.css";

/** A list, and beside it what is chosen in it. */
export function ListWithSide({ side, children }: { readonly side: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={css.split}>
      {children}
      {side}
    </div>
  );
}

interface SidePanelProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SidePanel({ title, onClose, children }: SidePanelProps) {
  const m = useMessages();
  return (
    <aside className={css.side} aria-label={m.list.details}>
      <div className={css.sideHead}>
        <h2>{title}</h2>
        <CloseButton aria-label={m.common.close} onClick={onClose} />
      </div>
      <div className={css.sideBody}>{children}</div>
    </aside>
  );
}
