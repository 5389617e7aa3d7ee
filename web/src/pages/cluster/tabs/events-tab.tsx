import { Link } from "@tanstack/react-router";
import type { LiveEvent } from "../../../api/live/messages.ts";
import type { Cluster } from "../../../api/objects.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useApi } from "../../../api/use-api.ts";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { personOf } from "../../../components/people/by-whom.tsx";
import { titleOfTask } from "../../../components/steps/fold-steps.ts";
import { Moment } from "../../../components/time/time.tsx";
import type { Messages } from "../../../i18n/messages.ts";
import { useMessages } from "../../../i18n/use-language.tsx";

export function EventsTab({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { name } = cluster.metadata;
  const events = useApi(KEYS.cluster(name), "events", "listEvents", { query: { cluster: name, after: 0, limit: 500 } });
  return (
    <Panel title={m.events.title} flush>
      <Loaded query={events}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={m.events.none} />
          ) : (
            <div className={table.scroll}>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th scope="col">{m.events.time}</th>
                    <th scope="col">{m.events.kind}</th>
                    <th scope="col">{m.events.what}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.toReversed().map((event) => (
                    <tr key={event.cursor}>
                      <td style={{ whiteSpace: "nowrap" }}>
                        <Moment time={event.time} />
                      </td>
                      <td>{m.eventKinds[event.kind as keyof typeof m.eventKinds] ?? event.kind}</td>
                      <td>
                        {describeBody(m, event)}{" "}
                        {event.jobId === null ? null : (
                          <Link to="/jobs/$id" params={{ id: event.jobId }}>
                            {m.events.job}
                          </Link>
                        )}
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

/** What an event says of itself, as words of the page. */
const WORDS_OF: Readonly<Record<string, (m: Messages, value: string) => string>> = {
  stepId: (_, id) => titleOfTask(id.split("/").slice(0, 3).join("/")),
  state: (m, state) => ({ ...m.jobStates, ...m.stepStates })[state as keyof typeof m.stepStates] ?? state,
  phase: (m, phase) => m.phases[phase as keyof typeof m.phases] ?? phase,
  reason: (_, reason) => reason,
  actor: (m, actor) => m.jobs.byWhom(personOf(actor)),
  generation: (m, generation) => m.jobs.generation(Number(generation)),
  worker: (m, worker) => m.jobs.worker(worker),
  message: (_, message) => message,
};

/** The facts of an event that tell a person something. */
function describeBody(m: Messages, { body }: LiveEvent): string {
  if (typeof body !== "object" || body === null) return "";
  const facts = body as Readonly<Record<string, unknown>>;
  return Object.entries(WORDS_OF)
    .flatMap(([key, describe]) => {
      const value = facts[key];
      const isTold = (typeof value === "string" && value !== "") || typeof value === "number";
      return isTold ? [describe(m, String(value))] : [];
    })
    .join(" · ");
}
