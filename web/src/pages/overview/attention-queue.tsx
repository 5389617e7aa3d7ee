import type { Modifier, Phase } from "@drover/contract";
import { IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Cluster, Job } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { Loaded } from "../../components/feedback/states.tsx";
import { JobRow } from "../../components/jobs/job-row.tsx";
import { Panel } from "../../components/layout/page.tsx";
import { ClusterStatus } from "../../components/status/cluster-status.tsx";
import { describeTrouble } from "../../components/status/describe-trouble.ts";
import { useFormat } from "../../i18n/use-format.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./overview.module.css";

const TROUBLED: readonly Phase[] = ["Unavailable", "Unreachable", "Unknown"];
const MARKED: readonly Modifier[] = ["Stalled", "Drifted"];
const SHOWN = 12;

/** Clusters that need somebody: failed, unreachable, stalled, drifted; each with why. */
export function AttentionQueue({ phases }: { readonly phases: Readonly<Record<string, number>> }) {
  const m = useMessages();
  const format = useFormat();
  const troubled = TROUBLED.reduce((sum, phase) => sum + (phases[phase] ?? 0), 0);
  const byPhase = useApi(KEYS.clusterPages, "clusters", "listClusters", { query: { phase: TROUBLED, limit: SHOWN } });
  const byMark = useApi(KEYS.clusterPages, "clusters", "listClusters", { query: { modifier: MARKED, limit: SHOWN } });
  const live = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { state: ["Pending", "Processing"], limit: 50 } });
  return (
    <Panel
      title={m.overview.attention}
      actions={
        troubled > SHOWN ? (
          <Link to="/clusters" search={{ phase: TROUBLED }}>
            {m.overview.allTroubled(format.number(troubled))}
          </Link>
        ) : undefined
      }
      flush
    >
      <Loaded query={byPhase}>
        {({ items }) => (
          <Queue
            clusters={joinClusters(items, byMark.data?.items ?? [])}
            jobs={(live.data?.items ?? []).filter(({ error }) => error !== null)}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function joinClusters(...lists: readonly (readonly Cluster[])[]): readonly Cluster[] {
  return [...new Map(lists.flat().map((cluster) => [cluster.metadata.name, cluster])).values()].slice(0, SHOWN);
}

interface QueueProps {
  readonly clusters: readonly Cluster[];
  /** Jobs that failed and will try again. */
  readonly jobs: readonly Job[];
}

function Queue({ clusters, jobs }: QueueProps) {
  const m = useMessages();
  if (clusters.length === 0 && jobs.length === 0) {
    return (
      <p className={css.calm}>
        <IconCircleCheck size={16} aria-hidden style={{ verticalAlign: "-3px", color: "var(--good)" }} />{" "}
        {m.overview.calm}
      </p>
    );
  }
  return (
    <ul>
      {jobs.map((job) => (
        <li key={job.id} className={css.row}>
          <JobRow job={job} />
          <p className={css.why}>{job.error?.message}</p>
        </li>
      ))}
      {clusters.map((cluster) => (
        <li key={cluster.metadata.name} className={css.row}>
          <Link
            to="/clusters/$name/$tab"
            params={{ name: cluster.metadata.name, tab: "overview" }}
            className={css.name}
          >
            {cluster.metadata.name}
          </Link>
          <ClusterStatus cluster={cluster} />
          <p className={css.why}>{describeTrouble(m, cluster)}</p>
        </li>
      ))}
    </ul>
  );
}
