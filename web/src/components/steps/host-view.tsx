import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import { WindowedRows } from "../layout/windowed-rows.tsx";
import { Facets } from "../list/facets.tsx";
import { Status, toneClass } from "../status/status.tsx";
import { LANE_LOOKS, STEP_LOOKS } from "../status/status-look.ts";
import { Took } from "../time/time.tsx";
import { isOwnHost } from "./fold-steps.ts";
import { isOutOfReach, LANE_STATES, type Lane, type LaneState, listLanes } from "./host-lanes.ts";
import { type StepListProps, StepRow } from "./step-list.tsx";
import css from "./steps.module.css";

interface HostViewProps extends StepListProps {
  /** The host whose steps are shown, and whose lines the log has. */
  readonly host: string | null;
  readonly onHost: (host: string | null) => void;
}

const ROW_PX = 48;
/** With fewer there is nothing to filter. */
const FILTER_FROM = 6;
/** So many can be told apart in the width of a lane. */
const MOST_CELLS = 48;

/** A lane for each host: its state, how far it is, what it is at and for how long. One is opened to see its steps. */
export function HostView({ steps, chosen, onChoose, host, onHost }: HostViewProps) {
  const m = useMessages();
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const lanes = useMemo(() => listLanes(steps), [steps]);
  const shown = lanes.filter(({ state }) => wanted.length === 0 || wanted.includes(state));
  const rows = shown.flatMap((lane) => [lane, ...(lane.host === host ? lane.steps : [])]);
  const counts = new Map<LaneState, number>();
  for (const { state } of lanes) counts.set(state, (counts.get(state) ?? 0) + 1);
  return (
    <div className={css.hosts}>
      {lanes.length < FILTER_FROM ? null : (
        <div className={css.hostFilter}>
          <Facets
            label={m.steps.hostStates}
            facets={LANE_STATES.filter((state) => counts.has(state)).map((state) => ({
              ...{ value: state, label: m.steps.laneStates[state], look: LANE_LOOKS[state], count: counts.get(state) },
            }))}
            chosen={wanted}
            onChange={setWanted}
          />
        </div>
      )}
      <WindowedRows
        count={rows.length}
        rowHeight={ROW_PX}
        className={css.list}
        shown={rows.findIndex((row) => ("id" in row ? row.id === chosen : false))}
      >
        {(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          if ("id" in row) return <StepRow step={row} isChosen={row.id === chosen} onChoose={onChoose} isInside />;
          const isOpen = row.host === host;
          return <LaneRow lane={row} isOpen={isOpen} onPress={() => onHost(isOpen ? null : row.host)} />;
        }}
      </WindowedRows>
    </div>
  );
}

interface LaneRowProps {
  readonly lane: Lane;
  readonly isOpen: boolean;
  readonly onPress: () => void;
}

function LaneRow({ lane, isOpen, onPress }: LaneRowProps) {
  const m = useMessages();
  const { host, steps, state, done, current, startedTime, finishedTime } = lane;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <button
      type="button"
      className={css.lane}
      aria-expanded={isOpen}
      data-host={host}
      data-state={state}
      onClick={onPress}
    >
      <Chevron size={16} aria-hidden />
      <span className={css.laneHost}>
        <b>{isOwnHost(host) ? m.steps.ownHost : host}</b>
        <span className={css.stepNote}>{current === null ? m.steps.laneDone : current.title}</span>
      </span>
      <span className={css.cells} aria-hidden>
        {steps.length > MOST_CELLS
          ? null
          : steps.map((step) => (
              <span
                key={step.id}
                className={toneClass(isOutOfReach(step) ? "warn" : STEP_LOOKS[step.state].tone)}
                data-state={step.state}
              />
            ))}
      </span>
      <span className={css.laneEnd}>
        <Status look={LANE_LOOKS[state]}>{m.steps.laneStates[state]}</Status>
        <span className={css.stepNote}>
          {m.steps.folded(done, steps.length)}
          {startedTime === null ? null : (
            <>
              {" · "}
              <Took from={startedTime} to={finishedTime} />
            </>
          )}
        </span>
      </span>
    </button>
  );
}
