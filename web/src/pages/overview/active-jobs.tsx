import { Link } from "@tanstack/react-router";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { Loaded } from "../../components/feedback/states.tsx";
import { JobRow } from "../../components/jobs/job-row.tsx";
import { Panel } from "../../components/layout/page.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./overview.module.css";

/** What is being done right now; while nothing is, what was done last. */
export function ActiveJobs() {
  const m = useMessages();
  const live = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { state: ["Pending", "Processing"], limit: 8 } });
  const recent = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { limit: 6 } });
  const isBusy = (live.data?.items.length ?? 0) > 0;
  return (
    <Panel
      title={isBusy ? m.overview.activeJobs : m.overview.recentJobs}
      actions={<Link to="/jobs">{m.overview.allJobs}</Link>}
      flush
    >
      <Loaded query={isBusy ? live : recent}>
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
