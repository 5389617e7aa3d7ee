import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { Cluster } from "../../api/objects.ts";
import { Empty } from "../../components/feedback/states.tsx";
import { LabelList } from "../../components/labels/label-list.tsx";
import { type Column, ResourceTable, type Sorting } from "../../components/list/resource-table.tsx";
import { RowLink } from "../../components/list/row-link.tsx";
import type { Selection } from "../../components/list/selection.ts";
import type { KeysetList } from "../../components/list/use-keyset-pages.ts";
import { ClusterStatus } from "../../components/status/cluster-status.tsx";
import { Ago } from "../../components/time/time.tsx";
import { useMessages } from "../../i18n/use-language.tsx";

interface ClusterTableProps {
  readonly list: KeysetList<Cluster>;
  readonly identity: string;
  readonly total: number | undefined;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly selection: Selection;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly bulk: ReactNode;
}

const nameOf = ({ metadata }: Cluster): string => metadata.name;

export function ClusterTable({ isFiltered, onClear, ...table }: ClusterTableProps) {
  const m = useMessages();
  const navigate = useNavigate();
  const open = (tab: string) => (cluster: Cluster) =>
    void navigate({ to: "/clusters/$name/$tab", params: { name: nameOf(cluster), tab } });
  return (
    <ResourceTable
      {...table}
      label={m.clusters.title}
      columns={useColumns()}
      keyOf={nameOf}
      onOpen={open("overview")}
      rowKeys={{
        d: open("diff"),
        l: open("jobs"),
        e: (cluster) => void navigate({ to: "/clusters/$name/edit", params: { name: nameOf(cluster) } }),
      }}
      empty={
        <Empty
          title={m.list.noMatch}
          text={m.clusters.noMatchText}
          actions={
            isFiltered ? (
              <Button variant="default" onClick={onClear}>
                {m.list.clear}
              </Button>
            ) : undefined
          }
        />
      }
    />
  );
}

function useColumns(): readonly Column<Cluster>[] {
  const m = useMessages();
  return useMemo(
    () => [
      {
        id: "name",
        header: m.clusters.name,
        width: "minmax(150px, 2fr)",
        sort: "name",
        cell: (cluster) => <RowLink to={`/clusters/${nameOf(cluster)}/overview`}>{nameOf(cluster)}</RowLink>,
      },
      {
        id: "actual",
        header: m.clusters.actual,
        width: "minmax(min(196px, 42vw), 2.4fr)",
        sort: "phase",
        cell: (cluster) => <ClusterStatus cluster={cluster} />,
      },
      {
        id: "generation",
        header: m.clusters.generation,
        width: "84px",
        wide: true,
        cell: ({ metadata, status }) =>
          m.clusters.generations(metadata.generation ?? 0, status?.observedGeneration ?? 0),
      },
      {
        id: "version",
        header: m.clusters.version,
        width: "108px",
        wide: true,
        cell: ({ spec, status }) => status?.kubernetesVersion ?? spec.kubernetes?.version ?? "–",
      },
      {
        id: "nodes",
        header: m.clusters.nodes,
        width: "52px",
        align: "end",
        wide: true,
        cell: ({ status }) => (status?.nodes === undefined ? "–" : `${status.nodes.ready}/${status.nodes.total}`),
      },
      {
        id: "provider",
        header: m.clusters.provider,
        width: "88px",
        wide: true,
        cell: ({ spec }) => m.providers[spec.provider],
      },
      {
        id: "labels",
        header: m.clusters.labels,
        width: "minmax(120px, 2.8fr)",
        wide: true,
        cell: ({ metadata }) => <LabelList labels={metadata.labels ?? {}} />,
      },
      {
        id: "seen",
        header: m.clusters.seen,
        width: "84px",
        align: "end",
        wide: true,
        cell: ({ status }) =>
          status?.lastReconciledTime === undefined ? "–" : <Ago time={status.lastReconciledTime} />,
      },
    ],
    [m],
  );
}
