import type { Reason } from "@drover/contract";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Cluster } from "../../../api/objects.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useApi } from "../../../api/use-api.ts";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { JobRow } from "../../../components/jobs/job-row.tsx";
import { LabelList } from "../../../components/labels/label-list.tsx";
import { Facts, Panel } from "../../../components/layout/page.tsx";
import { describeTrouble } from "../../../components/status/describe-trouble.ts";
import { ProgressBar, Status } from "../../../components/status/status.tsx";
import { JOB_LOOKS, type Look } from "../../../components/status/status-look.ts";
import { Ago, Moment } from "../../../components/time/time.tsx";
import { useFormat } from "../../../i18n/use-format.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "../cluster.module.css";
import { ResourceTree } from "../resource-tree.tsx";

/** Conditions that say by being true that something is wrong. */
const BAD_WHEN_TRUE: ReadonlySet<string> = new Set([
  ...["Stalled", "Drifted", "Expiring", "CertificatesExpire", "Deleting"],
]);

export function OverviewTab({ cluster }: { readonly cluster: Cluster }) {
  return (
    <>
      <Trouble cluster={cluster} />
      <UnderWay cluster={cluster} />
      <div className={css.grid}>
        <div className={css.column}>
          <Conditions cluster={cluster} />
          <ResourceTree cluster={cluster} />
        </div>
        <div className={css.column}>
          <About cluster={cluster} />
          <LastJobs name={cluster.metadata.name} />
        </div>
      </div>
    </>
  );
}

/** What is wrong, why, and where to go for it. */
function Trouble({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { name } = cluster.metadata;
  const { phase, modifiers = [], lastError } = cluster.status ?? {};
  const isTroubled =
    phase === "Unavailable" ||
    phase === "Unreachable" ||
    modifiers.some((one) => one === "Stalled" || one === "Drifted");
  if (!isTroubled) return null;
  return (
    <div className={phase === "Unavailable" ? `${css.notice} ${css.bad}` : css.notice}>
      <IconAlertTriangle size={18} aria-hidden />
      <p>{describeTrouble(m, cluster)}</p>
      {modifiers.includes("Drifted") ? (
        <Button size="xs" variant="default" component={Link} to={`/clusters/${name}/diff` as string}>
          {m.cluster.showDiff}
        </Button>
      ) : null}
      {lastError?.jobId === undefined ? null : (
        <Button size="xs" variant="default" component={Link} to={`/jobs/${lastError.jobId}` as string}>
          {m.cluster.showJob}
        </Button>
      )}
    </div>
  );
}

/** What is being done about it right now. */
function UnderWay({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const format = useFormat();
  const { job } = cluster.status ?? {};
  if (job === undefined) return null;
  return (
    <div className={`${css.notice} ${css.busy}`}>
      <p>
        <Status look={JOB_LOOKS.Processing}>{m.common.withDetail(m.jobKinds[job.kind], m.jobStates.Processing)}</Status>
      </p>
      {job.percent === undefined ? null : (
        <>
          <ProgressBar percent={job.percent} tone="busy" label={m.status.progressOf(m.jobKinds[job.kind])} />
          {format.percent(job.percent / 100)}
        </>
      )}
      <Button size="xs" variant="default" component={Link} to={`/jobs/${job.id}` as string}>
        {m.cluster.showJob}
      </Button>
    </div>
  );
}

function lookOf(type: string, status: string): Look {
  if (status === "Unknown") return { tone: "idle", icon: IconHelpCircle };
  const isGood = (status === "True") !== BAD_WHEN_TRUE.has(type);
  return isGood
    ? { tone: "good", icon: IconCircleCheck }
    : { tone: BAD_WHEN_TRUE.has(type) ? "warn" : "bad", icon: IconCircleX };
}

function Conditions({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  // What is bad when it is true says nothing while it is not.
  const shown = (cluster.status?.conditions ?? []).filter(
    ({ type, status }) => status === "True" || !BAD_WHEN_TRUE.has(type),
  );
  return (
    <Panel title={m.cluster.conditions} flush>
      {shown.length === 0 ? <Empty title={m.cluster.noConditions} /> : null}
      <ul className={css.conditions}>
        {shown.map(({ type, status, reason, message, lastTransitionTime }) => (
          <li key={type}>
            <Status look={lookOf(type, status)}>{m.conditions[type]}</Status>
            <span className={css.conditionText}>
              {message === "" ? (m.reasons[reason as Reason] ?? reason) : message}
            </span>
            <span className={css.soft}>
              <Ago time={lastTransitionTime} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function About({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { metadata, spec, status } = cluster;
  const labels = metadata.labels ?? {};
  return (
    <Panel title={m.cluster.about}>
      <Facts
        facts={[
          { name: m.clusters.provider, value: m.providers[spec.provider] },
          { name: m.clusters.version, value: status?.kubernetesVersion ?? spec.kubernetes?.version ?? "–" },
          status?.nodes === undefined
            ? null
            : { name: m.clusters.nodes, value: m.cluster.nodesReady(status.nodes.ready, status.nodes.total) },
          status?.endpoint === undefined ? null : { name: m.cluster.endpoint, value: <code>{status.endpoint}</code> },
          status?.allocations?.host === undefined ? null : { name: m.cluster.host, value: status.allocations.host },
          Object.keys(labels).length === 0
            ? null
            : { name: m.clusters.labels, value: <LabelList labels={labels} wrap /> },
          metadata.creationTimestamp === undefined
            ? null
            : { name: m.cluster.created, value: <Moment time={metadata.creationTimestamp} /> },
          status?.expiresTime === undefined
            ? null
            : { name: m.cluster.expires, value: <Moment time={status.expiresTime} /> },
        ]}
      />
    </Panel>
  );
}

function LastJobs({ name }: { readonly name: string }) {
  const m = useMessages();
  const jobs = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { cluster: name, limit: 5 } });
  return (
    <Panel title={m.cluster.lastJobs} flush>
      <Loaded query={jobs}>
        {({ items }) => (
          <ul className={css.objects}>
            {items.map((job) => (
              <li key={job.id}>
                <JobRow job={job} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
