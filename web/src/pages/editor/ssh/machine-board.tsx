import type { Problem } from "@drover/contract";
import { Button, TextInput } from "@mantine/core";
import { IconPlus, IconRefresh } from "@tabler/icons-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Machine } from "../../../api/objects.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useChange } from "../../../api/use-api.ts";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { ErrorPanel } from "../../../components/feedback/error-panel.tsx";
import { Bones, Empty } from "../../../components/feedback/states.tsx";
import { EnrollDialog } from "../../../components/machines/enroll-dialog.tsx";
import { MOST_OFFERED, useAllMachines } from "../../../components/machines/use-all-machines.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import { readTextAt } from "../read-at.ts";
import css from "./board.module.css";
import { BoardColumn } from "./board-column.tsx";
import { buildBoard, type Card, type ColumnId, columnsFor, meetsWords, problemsOfColumn } from "./build-board.ts";
import { CheckSummary } from "./check-summary.tsx";
import { describeHindrance } from "./machine-card.tsx";
import { addMachines, moveNode, readNodes, removeNode, renameNode, topologyOf } from "./node-entries.ts";
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
  const { boardRef, follow } = useFocusThatFollows();
  const nameOfColumn = (column: ColumnId) => (column === "available" ? words.available : words.columns[column]);
  const move = (card: Card, to: ColumnId) => {
    const { machine, node, hindrance, place } = card;
    const name = machine?.name ?? node?.name ?? place;
    if (hindrance !== null) return setSaid(words.cannotMove(name, describeHindrance(m, hindrance)));
    if (to === (node?.column ?? "available")) return;
    onEdit((text) => {
      if (to === "available") return node === null ? text : removeNode(text, node);
      if (node !== null) return moveNode(text, value, node, to);
      return machine === null ? text : addMachines(text, value, [machine], to);
    });
    setSaid(words.moved(name, nameOfColumn(to), board[to].length + 1));
    follow(place, to);
  };
  if (machines.data === undefined && machines.error === null) return <Bones />;
  const hasNothing = machines.data?.length === 0 && nodes.length === 0;
  return (
    <section className={css.board} aria-labelledby="machine-board" ref={boardRef}>
      <div className={css.head}>
        <h3 id="machine-board">{words.board}</h3>
        {hasNothing ? null : <CheckSummary checks={checks} count={nodes.length} />}
        <span className={css.tools}>
          <LookAgain cards={[...board.controlplane, ...board.etcd, ...board.worker]} />
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

/** A card that changes its column is another element there: the focus goes with it. */
function useFocusThatFollows() {
  const boardRef = useRef<HTMLElement>(null);
  const followed = useRef<{ readonly place: string; readonly column: ColumnId }>(undefined);
  useLayoutEffect(() => {
    if (followed.current === undefined) return;
    const { place, column } = followed.current;
    const inColumn = `[data-column="${column}"] [data-handle="${CSS.escape(place)}"]`;
    const handle = boardRef.current?.querySelector<HTMLElement>(inColumn);
    // Not there yet: the board was drawn once more before the document was.
    if (handle == null) return;
    followed.current = undefined;
    handle.focus();
  });
  return {
    boardRef,
    follow: (place: string, column: ColumnId) => {
      followed.current = { place, column };
    },
  };
}

/** After something was mended on the machines. */
function LookAgain({ cards }: { readonly cards: readonly Card[] }) {
  const m = useMessages();
  const look = useChange("machines", "lookAgain", [KEYS.machines]);
  const troubled = cards.flatMap(({ machine, problems }): readonly Machine[] =>
    machine === null || problems.length === 0 ? [] : [machine],
  );
  if (troubled.length === 0) return null;
  return (
    <ChangeButton
      size="compact-sm"
      variant="default"
      loading={look.isPending}
      leftSection={<IconRefresh size={14} aria-hidden />}
      onClick={() => {
        for (const { name } of troubled) look.mutate({ params: { name } });
      }}
    >
      {m.sshForm.lookAgain}
    </ChangeButton>
  );
}
