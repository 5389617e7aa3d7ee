import type { Problem } from "@drover/contract";
import { Button } from "@mantine/core";
import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from "react";
import type { Messages } from "../../../i18n/messages.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "./board.module.css";
import { type Card, type ColumnId, chooseShown, problemsOfNode } from "./build-board.ts";
import { MachineCard } from "./machine-card.tsx";
import type { NodeEntry } from "./node-entries.ts";

interface BoardColumnProps {
  readonly id: ColumnId;
  readonly title: string;
  readonly columns: readonly ColumnId[];
  readonly cards: readonly Card[];
  /** How many there are, of which a search may show only some. */
  readonly all: number;
  /** The place of the card that has just been moved here. */
  readonly followed: string | null;
  readonly problems: readonly Problem[];
  /** What is wrong with how many there are. */
  readonly faults: readonly Problem[];
  /** What the cluster logs in with. */
  readonly secret: string;
  readonly empty: string;
  readonly tools: ReactNode;
  readonly onMove: (card: Card, to: ColumnId) => void;
  readonly onDropped: (place: string, to: ColumnId) => void;
  readonly onRename: (node: NodeEntry, name: string) => void;
}

const SHOWN_AT_ONCE = 50;
/** Only cards of this page are taken, nothing else that somebody drags over it. */
const DRAGGED = "application/x-drover-machine";

export function BoardColumn(props: BoardColumnProps) {
  const { id, title, columns, cards, all, followed, problems, faults, empty, tools, onMove, onDropped } = props;
  const m = useMessages();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const [isOver, setOver] = useState(false);
  const drawn = chooseShown(cards, shown, followed);
  const allow = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onDropped(event.dataTransfer.getData(DRAGGED), id);
  };
  const hear = (card: Card) => (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const to = columns[columns.indexOf(id) + by];
      if (to !== undefined) onMove(card, to);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const item = event.currentTarget.closest("li");
      const next = event.key === "ArrowDown" ? item?.nextElementSibling : item?.previousElementSibling;
      next?.querySelector<HTMLElement>("[data-handle]")?.focus();
    }
  };
  return (
    <section
      className={css.column}
      aria-labelledby={`column-${id}`}
      data-column={id}
      data-over={isOver}
      onDragOver={allow}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h4 id={`column-${id}`} className={css.columnHead}>
        {title} <span className={css.count}>{cards.length === all ? all : m.sshForm.offered(cards.length, all)}</span>
      </h4>
      {tools === null ? null : <div className={css.columnTools}>{tools}</div>}
      {faults.map((problem) => (
        <p key={problem.code} className={css.fault}>
          {m.sshForm.numbers[problem.code as keyof Messages["sshForm"]["numbers"]]}
        </p>
      ))}
      {cards.length === 0 ? <p className={css.empty}>{empty}</p> : null}
      <ul className={css.cards}>
        {drawn.map((card) => (
          <MachineCard
            key={`${card.place} ${card.node?.index ?? ""}`}
            card={card}
            column={id}
            title={title}
            columns={columns}
            faults={card.node === null ? [] : problemsOfNode(problems, card.node)}
            secret={props.secret}
            onMove={(to) => onMove(card, to)}
            onRename={props.onRename}
            onKeyDown={hear(card)}
            onDragStart={(event) => {
              event.dataTransfer.setData(DRAGGED, card.place);
              event.dataTransfer.effectAllowed = "move";
            }}
          />
        ))}
      </ul>
      {drawn.length === cards.length ? null : (
        <Button size="compact-xs" variant="subtle" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          {m.sshForm.showMore(Math.min(SHOWN_AT_ONCE, cards.length - drawn.length))}
        </Button>
      )}
    </section>
  );
}
