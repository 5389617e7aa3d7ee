import { type ReactNode, useEffect, useRef } from "react";
import css from "./tabs.module.css";

interface TabsProps {
  readonly label: string;
  readonly current: string;
  /** Links, each with the class `TAB`. */
  readonly children: ReactNode;
}

export const TAB = css.tab;

/** The parts of a page. On a narrow screen they are scrolled to the one that is shown. */
export function Tabs({ label, current, children }: TabsProps) {
  const nav = useRef<HTMLElement>(null);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- whenever another part is shown
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <nav ref={nav} className={css.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
