import type { Cluster } from "../../../api/objects.ts";
import { Empty } from "../../../components/feedback/states.tsx";
import { JobTable } from "../../../components/jobs/job-table.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";

export function JobsTab({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  return <JobTable cluster={cluster.metadata.name} empty={<Empty title={m.jobs.none} />} />;
}
