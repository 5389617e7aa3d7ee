import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { Loaded } from "../../components/feedback/states.tsx";
import { JobRow } from "../../components/jobs/job-row.tsx";
import { Panel } from "../../components/layout/page.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./overview.module.css";

const LIVE = ["Pending", "Processing"] as const;
const ENDED = ["Succeeded", "Failed", "Canceled"] as const;

/** What is being done right now; nothing at all while nothing is. */
export function ActiveJobs() {
  const m = useMessages();
  const live = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { state: LIVE, limit: 8 } });
  return live.data?.items.length === 0 ? null : <Jobs title={m.overview.activeJobs} query={live} />;
}

/** What was done last. */
export function RecentJobs() {
  const m = useMessages();
  const recent = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { state: ENDED, limit: 6 } });
  return <Jobs title={m.overview.recentJobs} query={recent} actions={<Link to="/jobs">{m.overview.allJobs}</Link>} />;
}

interface JobsProps {
  readonly title: string;
  readonly query: ReturnType<typeof useApi<"jobs", "listJobs">>;
  readonly actions?: ReactNode;
}

function Jobs({ title, query, actions }: JobsProps) {
  const m = useMessages();
  return (
    <Panel title={title} actions={actions} flush>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={css.calm}>{m.jobs.none}</p>
          ) : (
            <ul>
              {items.map((job) => (
                <li key={job.id} className={css.row}>
                  <JobRow job={job} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
