import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { addressOf } from "../../api/client.ts";
import type { Cluster } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { Loaded } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import { TAB, Tabs } from "../../components/layout/tabs.tsx";
import { useKeys } from "../../components/shell/use-keys.tsx";
import { ClusterStatus } from "../../components/status/cluster-status.tsx";
import { Ago } from "../../components/time/time.tsx";
import { clusterToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./cluster.module.css";
import { ClusterActions } from "./cluster-actions.tsx";
import { CLUSTER_TABS, type ClusterTab } from "./search.ts";
import { AccessTab } from "./tabs/access-tab.tsx";
import { DiffTab } from "./tabs/diff-tab.tsx";
import { EventsTab } from "./tabs/events-tab.tsx";
import { HistoryTab } from "./tabs/history-tab.tsx";
import { JobsTab } from "./tabs/jobs-tab.tsx";
import { NodesTab } from "./tabs/nodes-tab.tsx";
import { OverviewTab } from "./tabs/overview-tab.tsx";
import { SpecTab } from "./tabs/spec-tab.tsx";

const route = getRouteApi("/clusters/$name/$tab");

const TABS: Readonly<Record<ClusterTab, ComponentType<{ readonly cluster: Cluster }>>> = {
  overview: OverviewTab,
  spec: SpecTab,
  diff: DiffTab,
  nodes: NodesTab,
  jobs: JobsTab,
  history: HistoryTab,
  events: EventsTab,
  access: AccessTab,
};

/** One cluster: what is wanted, what was seen, what was done about the difference. */
export function ClusterPage() {
  const { name } = route.useParams();
  const cluster = useApi(KEYS.cluster(name), "clusters", "getCluster", { params: { name } });
  return <Loaded query={cluster}>{(found) => <ClusterScreen cluster={found} />}</Loaded>;
}

function ClusterScreen({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const navigate = useNavigate();
  const { tab } = route.useParams();
  const { name } = cluster.metadata;
  const go = (next: ClusterTab) => void navigate({ to: "/clusters/$name/$tab", params: { name, tab: next } });
  useKeys({
    d: () => go("diff"),
    l: () => go("jobs"),
    e: () => void navigate({ to: "/clusters/$name/edit", params: { name } }),
  });
  const Tab = TABS[tab as ClusterTab];
  return (
    <Page
      title={name}
      heading={
        <>
          {name}{" "}
          {cluster.spec.provider === "simulated" ? (
            <span className={css.simulated}>{m.providers.simulated}</span>
          ) : null}
        </>
      }
      full={tab === "jobs"}
      subtitle={<Summary cluster={cluster} />}
      actions={
        <>
          <ClusterActions cluster={cluster} />
          <CopyAs
            cli={["drover", "describe", "cluster", name]}
            api={addressOf("clusters", "getCluster", { params: { name } })}
            yaml={() => clusterToYaml(cluster)}
          />
        </>
      }
    >
      <Tabs label={m.cluster.tabs} current={tab}>
        {CLUSTER_TABS.map((one) => (
          <Link key={one} to="/clusters/$name/$tab" params={{ name, tab: one }} className={TAB}>
            {m.cluster.tabNames[one]}
          </Link>
        ))}
      </Tabs>
      <Tab cluster={cluster} />
    </Page>
  );
}

/** Desired, actual and how old that is, in one line. */
function Summary({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { metadata, spec, status } = cluster;
  return (
    <div className={css.strip}>
      <span>
        {m.cluster.desired}{" "}
        <b>{m.cluster.desiredGeneration(m.desiredStates[spec.desiredState], metadata.generation ?? 0)}</b>
      </span>
      <span>
        {m.cluster.actual} <b>{m.cluster.actualGeneration(status?.observedGeneration ?? 0)}</b>
      </span>
      <ClusterStatus cluster={cluster} pill />
      {status?.lastReconciledTime === undefined ? null : (
        <span>
          {m.cluster.seen} <Ago time={status.lastReconciledTime} />
        </span>
      )}
    </div>
  );
}
