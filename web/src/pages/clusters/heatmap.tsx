import type { Phase } from "@drover/contract";
import { useNavigate } from "@tanstack/react-router";
import { type MouseEvent, memo, useEffect } from "react";
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
  const navigate = useNavigate();
  const { hasMore, isLoadingMore, loadMore } = clusters;
  useEffect(() => {
    if (hasMore && !isLoadingMore) loadMore();
  });
  if (clusters.isLoading) return <Bones />;
  if (clusters.error !== null) return <ErrorPanel error={clusters.error} onRetry={clusters.refetch} />;
  if (clusters.rows.length === 0) return <Empty title={m.list.noMatch} />;
  const open = (event: MouseEvent) => {
    const name = (event.target as HTMLElement).dataset.name;
    if (name === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ to: "/clusters/$name/$tab", params: { name, tab: "overview" } });
  };
  return (
    <div className={list.frame}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside are what is pressed, also by keys */}
      <ul className={css.map} aria-label={m.clusters.heatmap} onClick={open}>
        {clusters.rows.map(({ metadata: { name }, status }) => (
          <Square key={name} name={name} phase={status?.phase ?? "Unknown"} />
        ))}
      </ul>
      <div className={list.notes}>
        <span role="status">{m.list.of(clusters.rows.length, total ?? clusters.rows.length)}</span>
      </div>
    </div>
  );
}

/** Ten thousand of them: a plain link, drawn anew only when its cluster changes; the list hears of presses. */
const Square = memo(function Square({ name, phase }: { readonly name: string; readonly phase: Phase }) {
  const m = useMessages();
  const words = `${name}: ${m.phases[phase]}`;
  return (
    <li>
      {/* biome-ignore lint/a11y/useAnchorContent: its name is the label */}
      <a
        href={`/clusters/${name}/overview`}
        className={`${css.square} ${toneClass(PHASE_LOOKS[phase].tone)}`}
        data-name={name}
        data-phase={phase}
        aria-label={words}
        title={words}
      />
    </li>
  );
});
