import { Link } from "@tanstack/react-router";
import type { Job } from "../../api/objects.ts";
import { useFormat } from "../../i18n/use-format.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { JobStatus } from "../status/job-status.tsx";
import { ProgressBar } from "../status/status.tsx";
import { Ago, Took } from "../time/time.tsx";
import css from "./jobs.module.css";

/** A job in two lines: what it does to which cluster, how far it is, how long it takes. */
export function JobRow({ job }: { readonly job: Job }) {
  const m = useMessages();
  const format = useFormat();
  return (
    <div className={css.job}>
      <Link to="/jobs/$id" params={{ id: job.id }} className={css.title}>
        {m.jobs.title(m.jobKinds[job.kind], job.cluster, job.number)}
      </Link>
      <JobStatus job={job} />
      <span className={css.note}>
        {job.finishedTime === null && job.percent !== null ? (
          <>
            <ProgressBar percent={job.percent} tone="busy" label={m.status.progressOf(job.cluster)} />
            <span>{format.percent(job.percent / 100)}</span>
          </>
        ) : null}
        {job.startedTime === null ? null : <Took from={job.startedTime} to={job.finishedTime} />}
        {job.finishedTime === null && job.secondsLeft !== null && job.secondsLeft > 0 ? (
          <span>{m.jobs.left(format.span(job.secondsLeft * 1000))}</span>
        ) : (
          <Ago time={job.finishedTime ?? job.createdTime} />
        )}
      </span>
    </div>
  );
}
