import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi } from "../../api/use-api.ts";
import { Loaded } from "../../components/feedback/states.tsx";
import { FirstSteps } from "../../components/first-steps/first-steps.tsx";
import { SampleNotice } from "../../components/first-steps/sample-notice.tsx";
import { Page } from "../../components/layout/page.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { ActiveJobs, RecentJobs } from "./active-jobs.tsx";
import { AttentionQueue } from "./attention-queue.tsx";
import { FleetTally } from "./fleet-tally.tsx";
import css from "./overview.module.css";
import { WorkerList } from "./worker-list.tsx";

/** What needs somebody, what is being done, and who does it. */
export function OverviewPage() {
  const m = useMessages();
  const { may } = useSession();
  const counts = useApi(KEYS.clusterCounts, "clusters", "countClusters", {});
  return (
    <Page
      title={m.overview.title}
      actions={
        may("operator") ? (
          <Button component={Link} to="/clusters/new" leftSection={<IconPlus size={16} aria-hidden />}>
            {m.clusters.create}
          </Button>
        ) : undefined
      }
    >
      {counts.data?.total === 0 ? (
        <FirstSteps />
      ) : (
        <div className={css.grid}>
          <div className={css.column}>
            <SampleNotice />
            <Loaded query={counts}>{({ total, phases }) => <FleetTally {...{ total, phases }} />}</Loaded>
            <AttentionQueue phases={counts.data?.phases ?? {}} />
          </div>
          <div className={css.column}>
            <ActiveJobs />
            <WorkerList />
            <RecentJobs />
          </div>
        </div>
      )}
    </Page>
  );
}
