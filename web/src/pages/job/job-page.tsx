import { SegmentedControl, Select } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { getRouteApi, Link, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { addressOf } from "../../api/client.ts";
import type { Job, Step } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { Bones, Empty, Loaded } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import { LogView } from "../../components/log/log-view.tsx";
import { ByWhom } from "../../components/people/by-whom.tsx";
import { useKeys } from "../../components/shell/use-keys.tsx";
import { JobStatus } from "../../components/status/job-status.tsx";
import { hasHosts } from "../../components/steps/host-lanes.ts";
import { HostView } from "../../components/steps/host-view.tsx";
import { StepList } from "../../components/steps/step-list.tsx";
import { Waterfall } from "../../components/steps/waterfall.tsx";
import { Ago, Took } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useFormat } from "../../i18n/use-format.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./job.module.css";
import { JobActions } from "./job-actions.tsx";
import { RootCause } from "./root-cause.tsx";
import { JOB_VIEWS, type JobPageSearch } from "./search.ts";

const route = getRouteApi("/jobs/$id");

const StepGraph = lazy(async () => ({ default: (await import("../../components/steps/step-graph.tsx")).StepGraph }));

/** One job: why it failed first, then what was done in which order, then every line that was written. */
export function JobPage() {
  const { id } = route.useParams();
  const job = useApi(KEYS.job(id), "jobs", "getJob", { params: { id } });
  const graph = useApi(KEYS.job(id), "jobs", "getGraph", { params: { id } });
  return (
    <Loaded query={job}>
      {(found) => <JobScreen job={found} steps={graph.data?.steps ?? NO_STEPS} isReading={graph.isPending} />}
    </Loaded>
  );
}

const NO_STEPS: readonly Step[] = [];

interface JobScreenProps {
  readonly job: Job;
  readonly steps: readonly Step[];
  readonly isReading: boolean;
}

function JobScreen({ job, steps, isReading }: JobScreenProps) {
  const m = useMessages();
  const format = useFormat();
  const title = m.jobs.title(m.jobKinds[job.kind], job.cluster, job.number);
  const done = steps.filter(({ state }) => state === "Succeeded" || state === "Skipped").length;
  return (
    <Page
      title={title}
      full
      subtitle={
        <>
          <JobStatus job={job} pill />
          {steps.length === 0 ? null : <span>{m.jobs.steps(done, steps.length)}</span>}
          {job.startedTime === null ? null : <Took from={job.startedTime} to={job.finishedTime} />}
          {job.secondsLeft === null || job.secondsLeft === 0 || job.finishedTime !== null ? null : (
            <span>{m.jobs.left(format.span(job.secondsLeft * 1000))}</span>
          )}
          <Link to="/clusters/$name/$tab" params={{ name: job.cluster, tab: "overview" }}>
            {job.cluster}
          </Link>
          <span>{m.jobs.generation(job.generation)}</span>
          {job.attempt > 1 ? <span>{m.jobs.attempt(job.attempt)}</span> : null}
          <span>
            <ByWhom actor={job.createdBy} /> <Ago time={job.createdTime} />
          </span>
          {job.worker === null ? null : <span>{m.jobs.worker(job.worker)}</span>}
        </>
      }
      actions={
        <>
          <JobActions job={job} steps={steps} />
          <CopyAs
            cli={["drover", "jobs", `${job.cluster}/${job.number}`]}
            api={addressOf("jobs", "getJob", { params: { id: job.id } })}
            yaml={() => objectToYaml(job)}
          />
        </>
      }
    >
      {job.error === null ? null : <RootCause job={job} steps={steps} />}
      <StepsAndLog job={job} steps={steps} isReading={isReading} />
    </Page>
  );
}

function StepsAndLog({ job, steps, isReading }: JobScreenProps) {
  const m = useMessages();
  // A graph is of no use on a screen that cannot show its words.
  const isNarrow = useMediaQuery("(width < 760px)", false, { getInitialValueInEffect: false });
  const isOnHosts = hasHosts(steps);
  const { view = isOnHosts ? "hosts" : isNarrow ? "list" : "graph", step, host } = route.useSearch();
  const navigate = useNavigate({ from: "/jobs/$id" });
  const hash = useLocation({ select: (location) => location.hash });
  const line = /^L(\d{1,9})$/.exec(hash)?.[1];
  const change = (next: JobPageSearch) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true, hash: "" });
  const choose = (stepId: string) => change({ step: stepId === step ? undefined : stepId });
  const failures = steps.filter(({ state }) => state === "Failed");
  const walk = (by: number) => {
    const at = failures.findIndex(({ id }) => id === step);
    const next = failures[(at + by + failures.length) % Math.max(1, failures.length)];
    if (next !== undefined) change({ step: next.id });
  };
  useKeys({
    "[": () => walk(-1),
    "]": () => walk(1),
    l: () => document.querySelector<HTMLElement>('[role="log"]')?.focus(),
  });
  const drawn = { steps, chosen: step ?? null, onChoose: choose };
  return (
    <div className={css.work}>
      <section className={css.steps} aria-label={m.steps.title}>
        <div className={css.stepTools}>
          <SegmentedControl
            size="xs"
            aria-label={m.steps.view}
            value={view}
            onChange={(value) => change({ view: value as (typeof JOB_VIEWS)[number] })}
            data={JOB_VIEWS.filter((value) => value !== "hosts" || isOnHosts || view === "hosts").map((value) => ({
              value,
              label: m.steps.views[value],
            }))}
          />
        </div>
        <div className={css.stepBody}>
          {isReading ? <Bones /> : null}
          {!isReading && steps.length === 0 ? <Empty title={m.steps.none} text={m.steps.noneText} /> : null}
          {steps.length === 0 ? null : view === "graph" ? (
            <Suspense fallback={<Bones />}>
              <StepGraph {...drawn} />
            </Suspense>
          ) : view === "hosts" ? (
            <HostView
              {...drawn}
              host={host ?? null}
              onHost={(next) => change({ host: next ?? undefined, step: undefined })}
            />
          ) : view === "list" ? (
            <StepList {...drawn} />
          ) : (
            <Waterfall {...drawn} />
          )}
        </div>
      </section>
      <section className={css.log} aria-label={m.log.title}>
        <LogView
          jobId={job.id}
          filter={{ step, host }}
          line={line === undefined ? null : Number(line)}
          onLine={(number) => void navigate({ search: (now) => now, replace: true, hash: `L${number}` })}
          onShowAll={() => change({ step: undefined, host: undefined })}
          tools={
            <Select
              size="xs"
              aria-label={m.log.step}
              placeholder={m.log.allSteps}
              clearable
              searchable
              // Made when it is opened, and never all at once: a plan can have thousands of steps.
              comboboxProps={{ keepMounted: false }}
              limit={100}
              clearButtonProps={{ "aria-label": m.log.allSteps }}
              value={step ?? null}
              onChange={(value) => change({ step: value ?? undefined })}
              data={steps.map(({ id, title }) => ({ value: id, label: title }))}
            />
          }
        />
      </section>
    </div>
  );
}
