import { PHASES, type Phase } from "@drover/contract";
import { Link } from "@tanstack/react-router";
import { Panel } from "../../components/layout/page.tsx";
import { Status, toneClass } from "../../components/status/status.tsx";
import { PHASE_LOOKS } from "../../components/status/status-look.ts";
import { useFormat } from "../../i18n/use-format.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./overview.module.css";

interface FleetTallyProps {
  readonly total: number;
  readonly phases: Readonly<Record<string, number>>;
}

/** The whole fleet in one line: how many, and in which phases. */
export function FleetTally({ total, phases }: FleetTallyProps) {
  const m = useMessages();
  const format = useFormat();
  const present = PHASES.map((phase) => [phase, phases[phase] ?? 0] as const).filter(([, count]) => count > 0);
  const running = phases.Running ?? 0;
  return (
    <Panel title={m.overview.fleet}>
      <div className={css.tally}>
        <span className={css.total}>{m.overview.running(format.number(running), format.number(total))}</span>
      </div>
      <div className={css.bar} aria-hidden>
        {present.map(([phase, count]) => (
          <span key={phase} className={toneClass(PHASE_LOOKS[phase].tone)} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className={css.legend}>
        {present.map(([phase, count]) => (
          <li key={phase}>
            <PhaseLink phase={phase} count={format.number(count)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PhaseLink({ phase, count }: { readonly phase: Phase; readonly count: string }) {
  const m = useMessages();
  return (
    <Link to="/clusters" search={{ phase: [phase] }}>
      <Status look={{ ...PHASE_LOOKS[phase], turns: false }}>{m.phases[phase]}</Status>
      <b>{count}</b>
    </Link>
  );
}
