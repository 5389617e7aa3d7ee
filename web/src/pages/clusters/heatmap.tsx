import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Cluster } from "../../api/objects.ts";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Bones, Empty } from "../../components/feedback/states.tsx";
import list from "../../components/list/list.module.css";
import type { KeysetList } from "../../components/list/use-keyset-pages.ts";
import { toneClass } from "../../components/status/status.tsx";
import { PHASE_LOOKS } from "../../components/status/status-look.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./heatmap.module.css";

/** Every cluster as one square: where trouble is, is seen at once. The table tells the same in words. */
export function Heatmap({ list: clusters, total }: { list: KeysetList<Cluster>; total: number | undefined }) {
  const m = useMessages();
  const { hasMore, isLoadingMore, loadMore } = clusters;
  useEffect(() => {
    if (hasMore && !isLoadingMore) loadMore();
  });
  if (clusters.isLoading) return <Bones />;
  if (clusters.error !== null) return <ErrorPanel error={clusters.error} onRetry={clusters.refetch} />;
  if (clusters.rows.length === 0) return <Empty title={m.list.noMatch} />;
  return (
    <div className={list.frame}>
      <ul className={css.map} aria-label={m.clusters.heatmap}>
        {clusters.rows.map(({ metadata: { name }, status }) => {
          const phase = status?.phase ?? "Unknown";
          const words = `${name}: ${m.phases[phase]}`;
          return (
            <li key={name}>
              <Link
                to="/clusters/$name/$tab"
                params={{ name, tab: "overview" }}
                className={`${css.square} ${toneClass(PHASE_LOOKS[phase].tone)}`}
                data-phase={phase}
                aria-label={words}
                title={words}
              />
            </li>
          );
        })}
      </ul>
      <div className={list.notes}>
        <span role="status">{m.list.of(clusters.rows.length, total ?? clusters.rows.length)}</span>
      </div>
    </div>
  );
}
