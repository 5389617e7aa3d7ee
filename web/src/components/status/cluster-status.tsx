import type { Cluster } from "../../api/objects.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./status.module.css";
import { ProgressBar, Status } from "./status.tsx";
import { MODIFIER_LOOKS, PHASE_LOOKS } from "./status-look.ts";

/** What a cluster does: its phase, how far a live job is, and what else is true of it. */
export function ClusterStatus({ cluster, pill = false }: { readonly cluster: Cluster; readonly pill?: boolean }) {
  const m = useMessages();
  const { phase = "Unknown", modifiers = [], job } = cluster.status ?? {};
  return (
    <span className={pill ? `${css.row} ${css.wraps}` : css.row}>
      <Status look={PHASE_LOOKS[phase]} pill={pill}>
        {m.phases[phase]}
      </Status>
      {job?.percent === undefined ? null : (
        <ProgressBar
          percent={job.percent}
          tone={PHASE_LOOKS[phase].tone}
          label={m.status.progressOf(m.phases[phase])}
        />
      )}
      {modifiers.map((modifier) => (
        <Status key={modifier} look={MODIFIER_LOOKS[modifier]} pill>
          {m.modifiers[modifier]}
        </Status>
      ))}
    </span>
  );
}
