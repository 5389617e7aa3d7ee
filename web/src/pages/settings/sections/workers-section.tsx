import { useQuery } from "@tanstack/react-query";
import { addressOf } from "../../../api/client.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useSession } from "../../../api/session.tsx";
import { apiQuery, useChange } from "../../../api/use-api.ts";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { CopyAs } from "../../../components/copy/copy-as.tsx";
import { ErrorPanel } from "../../../components/feedback/error-panel.tsx";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { Status } from "../../../components/status/status.tsx";
import { WORKER_LOOKS } from "../../../components/status/status-look.ts";
import { Ago } from "../../../components/time/time.tsx";
import { objectToYaml } from "../../../components/yaml/to-yaml.ts";
import { useMessages } from "../../../i18n/use-language.tsx";

const ASK_MS = 10_000;

export function WorkersSection() {
  const m = useMessages();
  const { may } = useSession();
  const workers = useQuery({ ...apiQuery(KEYS.workers, "workers", "listWorkers", {}), refetchInterval: ASK_MS });
  const drain = useChange("workers", "drainWorker", [KEYS.workers]);
  return (
    <Panel
      title={m.overview.workers}
      flush
      actions={
        <CopyAs
          cli={["drover", "get", "workers"]}
          api={addressOf("workers", "listWorkers")}
          yaml={() => objectToYaml(workers.data?.items ?? [])}
        />
      }
    >
      {drain.error === null ? null : <ErrorPanel error={drain.error} />}
      <Loaded query={workers}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={m.overview.noWorkers} />
          ) : (
            <div className={table.scroll}>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th scope="col">{m.cluster.host}</th>
                    <th scope="col">{m.jobs.state}</th>
                    <th scope="col">{m.clusters.providers}</th>
                    <th scope="col">{m.jobs.heading}</th>
                    <th scope="col">{m.workers.version}</th>
                    <th scope="col">{m.live.heard}</th>
                    <th scope="col">
                      <span className="visually-hidden">{m.nodes.actions}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ id, host, state, providers, jobs, version, lastSeenTime }) => (
                    <tr key={id}>
                      <td>{host}</td>
                      <td>
                        <Status look={WORKER_LOOKS[state]}>{m.workerStates[state]}</Status>
                      </td>
                      <td data-label={m.clusters.providers}>{providers.join(", ")}</td>
                      <td data-label={m.jobs.heading}>{jobs.length}</td>
                      <td data-label={m.workers.version}>{version}</td>
                      <td data-label={m.live.heard}>{lastSeenTime === null ? "–" : <Ago time={lastSeenTime} />}</td>
                      <td>
                        {may("admin") && (state === "Working" || state === "Idle") ? (
                          <ChangeButton
                            size="compact-sm"
                            variant="default"
                            onClick={() => drain.mutate({ params: { id } })}
                          >
                            {m.workers.drain}
                          </ChangeButton>
                        ) : null}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}
