import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { Job } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { apiPage } from "../../api/use-api.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "../list/list.module.css";
import { type Column, ResourceTable } from "../list/resource-table.tsx";
import { useKeysetPages } from "../list/use-keyset-pages.ts";
import { Person } from "../people/by-whom.tsx";
import { JobStatus } from "../status/job-status.tsx";
import { ProgressBar } from "../status/status.tsx";
import { Ago, Took } from "../time/time.tsx";

interface JobTableProps {
  readonly cluster?: string | undefined;
  readonly state?: readonly string[] | undefined;
  readonly kind?: readonly string[] | undefined;
  readonly empty: ReactNode;
}

/** Jobs, newest first: of the whole fleet or of one cluster. */
export function JobTable({ cluster, state, kind, empty }: JobTableProps) {
  const m = useMessages();
  const navigate = useNavigate();
  const identity = JSON.stringify([cluster, state, kind]);
  const list = useKeysetPages(
    identity,
    (after) => apiPage(KEYS.jobPages, "jobs", "listJobs", { query: { cluster, state, kind, after } }),
    ({ id }) => id,
  );
  return (
    <ResourceTable
      label={m.jobs.heading}
      identity={identity}
      list={list}
      columns={useColumns()}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: "/jobs/$id", params: { id } })}
      empty={empty}
    />
  );
}

function useColumns(): readonly Column<Job>[] {
  const m = useMessages();
  return useMemo(
    () => [
      {
        id: "job",
        header: m.jobs.job,
        width: "minmax(170px, 3fr)",
        cell: (job) => (
          <Link to="/jobs/$id" params={{ id: job.id }} className={css.link} tabIndex={-1}>
            {m.jobs.title(m.jobKinds[job.kind], job.cluster, job.number)}
          </Link>
        ),
      },
      { id: "state", header: m.jobs.state, width: "130px", cell: (job) => <JobStatus job={job} /> },
      {
        id: "progress",
        header: m.jobs.progress,
        width: "90px",
        wide: true,
        cell: (job) =>
          job.percent === null || job.finishedTime !== null ? null : (
            <ProgressBar percent={job.percent} tone="busy" label={m.status.progressOf(job.cluster)} />
          ),
      },
      {
        id: "error",
        header: m.jobs.cause,
        width: "minmax(120px, 4fr)",
        wide: true,
        cell: ({ error, reason }) => <span title={error?.message ?? reason}>{error?.message ?? reason}</span>,
      },
      {
        id: "by",
        header: m.jobs.by,
        width: "minmax(80px, 1fr)",
        wide: true,
        cell: ({ createdBy }) => <Person actor={createdBy} />,
      },
      {
        id: "took",
        header: m.jobs.took,
        width: "70px",
        align: "end",
        wide: true,
        cell: ({ startedTime, finishedTime }) =>
          startedTime === null ? "–" : <Took from={startedTime} to={finishedTime} />,
      },
      {
        id: "when",
        header: m.jobs.when,
        width: "100px",
        align: "end",
        wide: true,
        cell: ({ createdTime }) => <Ago time={createdTime} />,
      },
    ],
    [m],
  );
}
