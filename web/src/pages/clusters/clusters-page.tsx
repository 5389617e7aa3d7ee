import { Button, SegmentedControl } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { addressOf } from "../../api/client.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { apiPage, useApi } from "../../api/use-api.ts";
import { MODIFIERS, PHASES, PROVIDER_NAMES } from "../../api/words.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { FirstSteps } from "../../components/first-steps/first-steps.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Facets } from "../../components/list/facets.tsx";
import { FilterBox } from "../../components/list/filter-box.tsx";
import css from "../../components/list/list.module.css";
import { useSelection } from "../../components/list/selection.ts";
import { useKeysetPages } from "../../components/list/use-keyset-pages.ts";
import { MODIFIER_LOOKS, PHASE_LOOKS } from "../../components/status/status-look.ts";
import { clustersToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { parseClusterQuery } from "../../lib/cluster-query.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ClusterTable } from "./cluster-table.tsx";
import { Heatmap } from "./heatmap.tsx";
import { SavedViews } from "./saved-views.tsx";
import type { ClusterSearch } from "./search.ts";

const route = getRouteApi("/clusters");

const PAGE_ROWS = 100;
/** The map shows as many as there are, so it is read in larger pieces. */
const MAP_ROWS = 500;

/** The fleet: find clusters among thousands and act on them. */
export function ClustersPage() {
  const m = useMessages();
  const { may } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/clusters" });
  const change = (next: Partial<ClusterSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  const { sort = "name", descending, view, q = "" } = search;
  const { phase, modifier, provider } = search;
  const typed = parseClusterQuery(q, { ...m.phases, ...m.modifiers, ...m.providers }, m.palette.syllables);
  const filter = { ...typed, phase, modifier, provider };
  const listed = { ...filter, sort, descending: descending === true ? "true" : undefined };
  const identity = JSON.stringify([listed, view]);
  const list = useKeysetPages(
    identity,
    (after) =>
      apiPage(KEYS.clusterPages, "clusters", "listClusters", {
        query: { ...listed, after, limit: view === "heatmap" ? MAP_ROWS : PAGE_ROWS },
      }),
    ({ metadata }) => metadata.name,
  );
  const counts = useApi(KEYS.clusterCounts, "clusters", "countClusters", { query: filter }, { keep: true });
  const all = useApi(KEYS.clusterCounts, "clusters", "countClusters", {});
  const selection = useSelection(identity);
  // Where all clusters are of one provider, there is nothing to choose.
  const present = PROVIDER_NAMES.filter((one) => (all.data?.providers[one] ?? 0) > 0);
  const isFiltered = q !== "" || phase !== undefined || modifier !== undefined || provider !== undefined;
  const clear = () => change({ q: undefined, phase: undefined, modifier: undefined, provider: undefined });
  if (all.data?.total === 0) {
    return (
      <Page title={m.clusters.title}>
        <FirstSteps />
      </Page>
    );
  }
  return (
    <Page
      title={m.clusters.title}
      full
      actions={
        <>
          <CopyAs
            cli={cliOf(filter)}
            api={addressOf("clusters", "listClusters", { query: listed })}
            yaml={() => clustersToYaml(list.rows)}
          />
          {may("operator") ? (
            <Button component={Link} to="/clusters/new" leftSection={<IconPlus size={16} aria-hidden />}>
              {m.clusters.create}
            </Button>
          ) : null}
        </>
      }
    >
      <div className={css.tools}>
        <FilterBox
          label={m.clusters.filter}
          placeholder={m.clusters.filterHint}
          value={q}
          onChange={(text) => change({ q: text === "" ? undefined : text })}
        />
        <SavedViews search={search} onChoose={(chosen) => void navigate({ search: chosen })} />
        <SegmentedControl
          aria-label={m.clusters.view}
          value={view ?? "table"}
          onChange={(value) => change({ view: value === "heatmap" ? "heatmap" : undefined })}
          data={[
            { value: "table", label: m.clusters.table },
            { value: "heatmap", label: m.clusters.heatmap },
          ]}
        />
      </div>
      <div className={css.tools}>
        <Facets
          label={m.clusters.phases}
          facets={PHASES.filter((one) => (all.data?.phases[one] ?? 0) > 0 || phase?.includes(one) === true).map(
            (value) => ({
              value,
              label: m.phases[value],
              count: counts.data?.phases[value] ?? 0,
              look: PHASE_LOOKS[value],
            }),
          )}
          chosen={phase ?? []}
          onChange={(chosen) => change({ phase: pressed(chosen as typeof PHASES) })}
        />
        <Facets
          label={m.clusters.modifiers}
          facets={MODIFIERS.map((value) => ({ value, label: m.modifiers[value], look: MODIFIER_LOOKS[value] }))}
          chosen={modifier ?? []}
          onChange={(chosen) => change({ modifier: pressed(chosen as typeof MODIFIERS) })}
        />
        <Facets
          label={m.clusters.providers}
          facets={(present.length > 1 ? present : (provider ?? [])).map((value) => ({
            value,
            label: m.providers[value],
            count: counts.data?.providers[value] ?? 0,
          }))}
          chosen={provider ?? []}
          onChange={(chosen) => change({ provider: pressed(chosen as typeof PROVIDER_NAMES) })}
        />
      </div>
      {view === "heatmap" ? (
        <Heatmap list={list} total={counts.data?.total} />
      ) : (
        <ClusterTable
          list={list}
          identity={identity}
          total={counts.data?.total}
          sorting={{ by: sort, descending: descending === true }}
          onSort={({ by, descending: down }) =>
            change({ sort: by as NonNullable<ClusterSearch["sort"]>, descending: down ? true : undefined })
          }
          selection={selection}
          isFiltered={isFiltered}
          onClear={clear}
          bulk={<BulkBar selection={selection} filter={filter} total={counts.data?.total ?? 0} />}
        />
      )}
    </Page>
  );
}

const pressed = <W extends string>(chosen: readonly W[]) => (chosen.length === 0 ? undefined : chosen);

/** The command line filters by labels only. */
function cliOf({ selector }: { readonly selector: string | undefined }): readonly string[] {
  return ["drover", "get", "clusters", ...(selector === undefined ? [] : ["--selector", selector])];
}
