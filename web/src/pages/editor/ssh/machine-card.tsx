import type { Problem } from "@drover/contract";
import { Button, TextInput } from "@mantine/core";
import { IconGripVertical, IconHelpCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type DragEvent, type KeyboardEvent, useState } from "react";
import type { Machine } from "../../../api/objects.ts";
import { inGibibytes } from "../../../components/machines/in-gibibytes.ts";
import { ProblemList } from "../../../components/machines/problem-list.tsx";
import { Status } from "../../../components/status/status.tsx";
import { MACHINE_LOOKS } from "../../../components/status/status-look.ts";
import { describeProblem, describeReason } from "../../../i18n/describe-error.ts";
import type { Messages } from "../../../i18n/messages.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "./board.module.css";
import type { Card, ColumnId, Hindrance } from "./build-board.ts";
import type { NodeEntry } from "./node-entries.ts";

interface MachineCardProps {
  readonly card: Card;
  readonly column: ColumnId;
  /** The name of that column. */
  readonly title: string;
  readonly columns: readonly ColumnId[];
  readonly faults: readonly Problem[];
  readonly secret: string;
  readonly onMove: (to: ColumnId) => void;
  readonly onRename: (node: NodeEntry, name: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onDragStart: (event: DragEvent) => void;
}

export const describeHindrance = (m: Messages, hindrance: Hindrance): string =>
  hindrance === "foreign" ? m.sshForm.foreign : m.sshForm.belongs(hindrance.cluster);

/** One machine: what it is, what is in its way, and where it can go. */
export function MachineCard(props: MachineCardProps) {
  const { card, column, title, columns, faults, secret, onMove, onRename, onKeyDown, onDragStart } = props;
  const { machine, node, hindrance, problems, place } = card;
  const m = useMessages();
  const words = m.sshForm;
  // Where a card can be dragged, text in it cannot be marked with the mouse.
  const [isTyping, setTyping] = useState(false);
  const name = machine?.name ?? node?.name ?? place;
  const canMove = hindrance === null;
  const ownSecret = machine?.credential.name ?? secret;
  return (
    <li
      className={css.card}
      data-machine={name}
      data-hindered={!canMove}
      draggable={canMove && !isTyping}
      onDragStart={onDragStart}
    >
      <button
        type="button"
        className={css.handle}
        data-handle={place}
        aria-label={words.handle(name, title)}
        aria-describedby="machine-board-help"
        onKeyDown={onKeyDown}
      >
        <IconGripVertical size={16} aria-hidden />
      </button>
      <div className={css.what}>
        <div className={css.names}>
          {node === null ? (
            <b>{name}</b>
          ) : (
            <TextInput
              size="xs"
              aria-label={words.nodeName(name)}
              value={node.name}
              spellCheck={false}
              autoComplete="off"
              onFocus={() => setTyping(true)}
              onBlur={() => setTyping(false)}
              onChange={(event) => onRename(node, event.currentTarget.value)}
            />
          )}
          {machine === null ? (
            <Status look={{ tone: "idle", icon: IconHelpCircle }}>{words.notEnrolled}</Status>
          ) : (
            <Status look={MACHINE_LOOKS[machine.state]}>{m.machines.states[machine.state]}</Status>
          )}
        </div>
        <p className={css.facts}>
          {[node !== null && node.name !== name ? name : "", ...listFacts(card)].filter(Boolean).join(" · ")}
        </p>
        {hindrance === null ? null : <p className={css.hindrance}>{describeHindrance(m, hindrance)}</p>}
        {node === null || ownSecret === secret ? null : (
          <p className={css.hindrance}>{words.otherSecret(ownSecret, secret)}</p>
        )}
        {faults.map((problem) => (
          <p key={`${problem.path} ${problem.code}`} className={css.fault}>
            {describeProblem(m, problem)}
          </p>
        ))}
        {machine !== null && machine.state !== "Reachable" && machine.message !== "" && problems.length === 0 ? (
          <p className={css.hindrance}>{describeReason(m, machine)}</p>
        ) : null}
        {problems.length === 0 || !canMove ? null : <ProblemList problems={problems} machine={machine} />}
        <div className={css.moves}>
          {canMove
            ? columns.map((to) =>
                to === column ? null : (
                  <Button key={to} size="compact-xs" variant="default" onClick={() => onMove(to)}>
                    {to === "available" ? words.remove : words.roles[to]}
                    <span className="visually-hidden"> {words.of(name)}</span>
                  </Button>
                ),
              )
            : null}
          {machine === null ? null : (
            <Link to="/machines" search={{ machine: machine.name }} className={css.more}>
              {words.details}
              <span className="visually-hidden"> {words.of(name)}</span>
            </Link>
          )}
        </div>
      </div>
    </li>
  );
}

const listFacts = ({ machine, place }: Card): readonly string[] => [
  place.replace(/:22$/, ""),
  ...(machine === null ? [] : listSizes(machine)),
];

function listSizes({ facts }: Machine): readonly string[] {
  if (facts === null) return [];
  const system = [facts.os?.id, facts.os?.version].filter(Boolean).join(" ");
  const cpus = facts.cpus === null ? "" : `${facts.cpus} CPU`;
  return [system, cpus, facts.memoryBytes === null ? "" : inGibibytes(facts.memoryBytes)];
}
