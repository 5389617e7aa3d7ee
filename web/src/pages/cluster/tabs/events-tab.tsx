import { Link } from "@tanstack/react-router";
import type { LiveEvent } from "../../../api/live/messages.ts";
import type { Cluster } from "../../../api/objects.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useApi } from "../../../api/use-api.ts";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { Moment } from "../../../components/time/time.tsx";
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
                        {describeBody(event)}{" "}
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

const SHOWN_FACTS = ["phase", "state", "stepId", "reason", "actor", "generation", "worker", "message"] as const;

/** The facts of an event that tell a person something. */
function describeBody({ body }: LiveEvent): string {
  if (typeof body !== "object" || body === null) return "";
  const facts = body as Readonly<Record<string, unknown>>;
  return SHOWN_FACTS.flatMap((key) => {
    const value = facts[key];
    return typeof value === "string" || typeof value === "number" ? (value === "" ? [] : [`${key} ${value}`]) : [];
  }).join(" · ");
}
