import type { Problem } from "@drover/contract";
import { Button, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { ErrorPanel } from "../../../components/feedback/error-panel.tsx";
import { Bones, Empty } from "../../../components/feedback/states.tsx";
import { EnrollDialog } from "../../../components/machines/enroll-dialog.tsx";
import { MOST_OFFERED, useAllMachines } from "../../../components/machines/use-all-machines.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import { readTextAt } from "../read-at.ts";
import css from "./board.module.css";
import { BoardColumn } from "./board-column.tsx";
import {
  buildBoard,
  type Card,
  type ColumnId,
  columnsFor,
  findNeighbour,
  meetsWords,
  problemsOfColumn,
} from "./build-board.ts";
import { CheckSummary } from "./check-summary.tsx";
import { LookAgain, useLookAgain } from "./look-again.tsx";
import { describeHindrance } from "./machine-card.tsx";
import { addMachines, moveNode, readNodes, removeNode, renameNode, topologyOf } from "./node-entries.ts";
import { useFocusThatFollows } from "./use-focus-that-follows.ts";
import type { MachineChecks } from "./use-machine-checks.ts";

export interface MachineBoardProps {
  readonly value: unknown;
  readonly isReadable: boolean;
  readonly problems: readonly Problem[];
  readonly checks: MachineChecks;
  readonly onEdit: (change: (text: string) => string) => void;
}

/** Which machine becomes what: by dragging, by buttons or by keys. It shows the document and has no state of its own. */
export function MachineBoard({ value, isReadable, problems, checks, onEdit }: MachineBoardProps) {
  const m = useMessages();
  const words = m.sshForm;
  const [search, setSearch] = useState("");
  const [isEnrolling, setEnrolling] = useState(false);
  const [said, setSaid] = useState("");
  const machines = useAllMachines();
  const topology = topologyOf(value);
  const columns = columnsFor(topology);
  const nodes = useMemo(() => readNodes(value), [value]);
  const board = useMemo(
    () =>
      buildBoard({
        ...{ cluster: readTextAt(value, "metadata.name"), nodes, machines: machines.data ?? [], checks: checks.items },
      }),
    [value, nodes, machines.data, checks.items],
  );
  const asked = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = board.available.filter((card) => meetsWords(card, asked));
  const choosable = matching.flatMap(({ machine, hindrance }) =>
    machine?.state !== "Reachable" || hindrance !== null ? [] : [machine],
  );
  const { boardRef, followed, follow } = useFocusThatFollows(value);
  const look = useLookAgain();
  const nameOfColumn = (column: ColumnId) => (column === "available" ? words.available : words.columns[column]);
  const move = (card: Card, to: ColumnId) => {
    const { machine, node, hindrance, place } = card;
    const name = machine?.name ?? node?.name ?? place;
    if (!isReadable) return;
    if (hindrance !== null) return setSaid(words.cannotMove(name, describeHindrance(m, hindrance)));
    if (to === (node?.column ?? "available")) return;
    onEdit((text) => {
      if (to === "available") return node === null ? text : removeNode(text, node);
      if (node !== null) return moveNode(text, value, node, to);
      return machine === null ? text : addMachines(text, value, [machine], to);
    });
    if (to === "available" && machine === null) {
      // Nothing is left of it on the board.
      setSaid(words.takenOut(name));
      const column = node?.column ?? "available";
      const next = findNeighbour(board[column], card);
      return follow(next === null ? null : { place: next.place, column });
    }
    setSaid(words.moved(name, nameOfColumn(to), board[to].length + 1));
    if (to === "available" && !meetsWords(card, asked)) setSearch("");
    follow({ place, column: to });
  };
  if (machines.data === undefined && machines.error === null) return <Bones />;
  const hasNothing = machines.data?.length === 0 && nodes.length === 0;
  return (
    <section className={css.board} aria-labelledby="machine-board" ref={boardRef} tabIndex={-1}>
      <div className={css.head}>
        <h3 id="machine-board">{words.board}</h3>
        {hasNothing ? null : <CheckSummary checks={checks} count={nodes.length} />}
        <span className={css.tools}>
          <LookAgain cards={[...board.controlplane, ...board.etcd, ...board.worker]} look={look} />
          {hasNothing ? null : (
            <ChangeButton
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => setEnrolling(true)}
            >
              {words.enrollMore}
            </ChangeButton>
          )}
        </span>
      </div>
      {look.error === null ? null : <ErrorPanel error={look.error} />}
      {machines.error === null ? null : <ErrorPanel error={machines.error} onRetry={() => void machines.refetch()} />}
      {hasNothing ? (
        <Empty
          title={words.none}
          text={words.noneText}
          actions={<ChangeButton onClick={() => setEnrolling(true)}>{m.machines.enroll}</ChangeButton>}
        />
      ) : (
        <>
          <p className={css.help} id="machine-board-help">
            {words.help}
          </p>
          <fieldset className={css.columns} disabled={!isReadable} data-columns={columns.length}>
            {columns.map((column) => (
              <BoardColumn
                key={column}
                id={column}
                title={nameOfColumn(column)}
                columns={columns}
                cards={column === "available" ? matching : board[column]}
                all={board[column].length}
                followed={followed?.column === column ? followed.place : null}
                problems={problems}
                faults={problemsOfColumn(problems, column, topology)}
                secret={readTextAt(value, "spec.ssh.access.credential.name")}
                empty={column !== "available" ? words.dropHere : asked.length > 0 ? words.noMatch : words.allTaken}
                onMove={move}
                onDropped={(place, to) => {
                  const card = Object.values(board)
                    .flat()
                    .find((one) => one.place === place);
                  if (card !== undefined) move(card, to);
                }}
                onRename={(node, name) => onEdit((text) => renameNode(text, node, name))}
                tools={
                  column === "available" ? (
                    <>
                      <TextInput
                        size="xs"
                        type="search"
                        aria-label={words.search}
                        placeholder={words.search}
                        value={search}
                        onChange={(event) => setSearch(event.currentTarget.value)}
                      />
                      {choosable.length < 3 ? null : (
                        <Button
                          size="compact-xs"
                          variant="default"
                          onClick={() => {
                            onEdit((text) => addMachines(text, value, choosable, "worker"));
                            setSaid(words.allMoved(choosable.length, words.columns.worker));
                          }}
                        >
                          {words.allToWorkers(choosable.length)}
                        </Button>
                      )}
                    </>
                  ) : null
                }
              />
            ))}
          </fieldset>
          {(machines.data?.length ?? 0) < MOST_OFFERED ? null : (
            <p className={css.help}>{words.tooMany(MOST_OFFERED)}</p>
          )}
        </>
      )}
      <p role="status" className="visually-hidden">
        {said}
      </p>
      {isEnrolling ? <EnrollDialog onClose={() => setEnrolling(false)} /> : null}
    </section>
  );
}
