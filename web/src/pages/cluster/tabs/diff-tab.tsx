import type { Cluster } from "../../../api/objects.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useApi } from "../../../api/use-api.ts";
import { DifferenceTable } from "../../../components/diff/difference-table.tsx";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";

/** What is wanted beside what was seen. */
export function DiffTab({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { name } = cluster.metadata;
  const diff = useApi(KEYS.cluster(name), "clusterDetails", "diffRevisions", { params: { name } });
  return (
    <Panel title={m.cluster.desiredActual} flush>
      <Loaded query={diff}>
        {({ differences }) =>
          differences.length === 0 ? (
            <Empty title={m.cluster.noDiff} text={m.cluster.noDiffText} />
          ) : (
            <DifferenceTable
              isDrift
              differences={differences as never}
              before={m.cluster.desired}
              after={m.cluster.actual}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
