import { useQuery } from "@tanstack/react-query";
import { KEYS } from "../../api/query-keys.ts";
import { apiQuery } from "../../api/use-api.ts";
import { Loaded } from "../../components/feedback/states.tsx";
import { Panel } from "../../components/layout/page.tsx";
import { Status } from "../../components/status/status.tsx";
import { WORKER_LOOKS } from "../../components/status/status-look.ts";
import { Ago } from "../../components/time/time.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./overview.module.css";

/** Workers give signs of life, but no events: they are asked for. */
const ASK_MS = 10_000;

export function WorkerList() {
  const m = useMessages();
  const workers = useQuery({ ...apiQuery(KEYS.workers, "workers", "listWorkers", {}), refetchInterval: ASK_MS });
  return (
    <Panel title={m.overview.workers} flush>
      <Loaded query={workers}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={css.calm}>{m.overview.noWorkers}</p>
          ) : (
            <ul>
              {items.map(({ id, host, state, jobs, lastSeenTime, providers }) => (
                <li key={id} className={css.row}>
                  <span className={css.name}>{host}</span>
                  <Status look={WORKER_LOOKS[state]}>{m.workerStates[state]}</Status>
                  <span className={css.why}>
                    {m.overview.workerJobs(jobs.length)} · {providers.join(", ")}
                    {lastSeenTime === null ? null : (
                      <>
                        {" · "}
                        {m.live.heard} <Ago time={lastSeenTime} />
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
