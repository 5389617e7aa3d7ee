import { useLayoutEffect, useRef, useState } from "react";
import type { ColumnId } from "./build-board.ts";

/** Where a card is, as far as the focus is concerned. */
export interface CardPlace {
  readonly place: string;
  readonly column: ColumnId;
}

const selectHandle = ({ place, column }: CardPlace): string =>
  `[data-column="${column}"] [data-handle="${CSS.escape(place)}"]`;

/** A card that changes its column is another element there: the focus goes with it once the document has changed. */
export function useFocusThatFollows(value: unknown) {
  const boardRef = useRef<HTMLElement>(null);
  const [followed, setFollowed] = useState<CardPlace | null>(null);
  const awaited = useRef<{ readonly card: CardPlace | null; readonly before: unknown }>(undefined);
  useLayoutEffect(() => {
    if (awaited.current === undefined || awaited.current.before === value) return;
    const { card } = awaited.current;
    // Whatever is found: a focus that comes later would be taken from somebody who types elsewhere by then.
    awaited.current = undefined;
    const board = boardRef.current;
    const handle = card === null ? null : board?.querySelector<HTMLElement>(selectHandle(card));
    if (handle == null) board?.focus({ preventScroll: true });
    else handle.focus();
  });
  /** With no card to go to, the board itself has the focus. */
  const follow = (card: CardPlace | null) => {
    awaited.current = { card, before: value };
    setFollowed(card);
  };
  return { boardRef, followed, follow };
}
