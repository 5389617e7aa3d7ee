import { Button, Checkbox } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isApiError } from "../../../api/api-error.ts";
import type { Cluster, Revision } from "../../../api/objects.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useSession } from "../../../api/session.tsx";
import { useApi, useChange } from "../../../api/use-api.ts";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { ConfirmDialog } from "../../../components/dialogs/confirm-dialog.tsx";
import { DifferenceTable } from "../../../components/diff/difference-table.tsx";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import { ByWhom } from "../../../components/people/by-whom.tsx";
import { Ago } from "../../../components/time/time.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "../cluster.module.css";

const route = getRouteApi("/clusters/$name/$tab");

/** What was wanted when, by whom and why; what changed between any two; and the way back. */
export function HistoryTab({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { may } = useSession();
  const navigate = useNavigate({ from: "/clusters/$name/$tab" });
  const { name, generation: newest = 1 } = cluster.metadata;
  const search = route.useSearch();
  const to = Number(search.to) || newest;
  const from = Number(search.from) || Math.max(1, to - 1);
  const [target, setTarget] = useState<Revision | null>(null);
  const revisions = useApi(KEYS.cluster(name), "clusterDetails", "listRevisions", {
    params: { name },
    query: { limit: 100 },
  });
  const show = (generation: number) =>
    void navigate({ search: { from: String(Math.max(1, generation - 1)), to: String(generation) }, replace: true });
  return (
    <div className={`${css.grid} ${css.reversed}`}>
      <Panel title={m.history.revisions} flush>
        <Loaded query={revisions}>
          {({ items }) => (
            <ul className={css.objects}>
              {items.map((revision) => {
                const { generation, author, reason, createdTime } = revision;
                return (
                  <li key={generation}>
                    <span className={css.revision}>
                      <b>{m.history.generation(generation)}</b>
                      <span>{reason === "" ? m.history.noReason : reason}</span>
                      <span className={css.soft}>
                        <ByWhom actor={author} /> · <Ago time={createdTime} />
                      </span>
                    </span>
                    <span className={css.revisionActions}>
                      <Button
                        size="compact-sm"
                        variant={generation === to ? "light" : "subtle"}
                        aria-pressed={generation === to}
                        onClick={() => show(generation)}
                      >
                        {m.history.show}
                      </Button>
                      {generation === newest || !may("operator") ? null : (
                        <ChangeButton size="compact-sm" variant="subtle" onClick={() => setTarget(revision)}>
                          {m.history.rollback}
                        </ChangeButton>
                      )}
                    </span>
                  </li>
                );
              })}
            </ul>
          )}
        </Loaded>
      </Panel>
      <Panel title={from === to ? m.history.first : m.history.changes(from, to)} flush>
        {from === to ? <Empty title={m.history.firstText} /> : <Changes name={name} from={from} to={to} />}
      </Panel>
      {target === null ? null : <RollbackDialog cluster={cluster} revision={target} onClose={() => setTarget(null)} />}
    </div>
  );
}

function Changes({ name, from, to }: { readonly name: string; readonly from: number; readonly to: number }) {
  const m = useMessages();
  const diff = useApi(KEYS.cluster(name), "clusterDetails", "diffRevisions", { params: { name }, query: { from, to } });
  return (
    <Loaded query={diff}>
      {({ differences }) =>
        differences.length === 0 ? (
          <Empty title={m.history.same} />
        ) : (
          <DifferenceTable
            differences={differences as never}
            before={m.history.generation(from)}
            after={m.history.generation(to)}
          />
        )
      }
    </Loaded>
  );
}

interface RollbackDialogProps {
  readonly cluster: Cluster;
  readonly revision: Revision;
  readonly onClose: () => void;
}

/** An earlier revision becomes a new one: with what changes, and a reason. */
function RollbackDialog({ cluster, revision, onClose }: RollbackDialogProps) {
  const m = useMessages();
  const navigate = useNavigate();
  const { name, generation: newest = 1 } = cluster.metadata;
  const rollback = useChange("clusterActions", "rollback", [KEYS.cluster(name), KEYS.jobPages]);
  const [consent, setConsent] = useState(false);
  const needsConsent = isApiError(rollback.error, "consent-required");
  return (
    <ConfirmDialog
      title={m.history.rollbackTitle(name, revision.generation)}
      opened
      onClose={onClose}
      confirmLabel={m.history.rollback}
      reason="required"
      busy={rollback.isPending}
      error={rollback.error}
      onConfirm={(reason) =>
        rollback.mutate(
          { params: { name }, body: { generation: revision.generation, reason, ...(consent ? { consent } : {}) } },
          {
            onSuccess: ({ jobId }) => {
              onClose();
              if (jobId !== null) void navigate({ to: "/jobs/$id", params: { id: jobId } });
            },
          },
        )
      }
    >
      <p>{m.history.rollbackText(newest + 1)}</p>
      <Changes name={name} from={newest} to={revision.generation} />
      {needsConsent ? (
        <Checkbox
          label={m.editor.consent}
          checked={consent}
          onChange={(event) => setConsent(event.currentTarget.checked)}
        />
      ) : null}
    </ConfirmDialog>
  );
}
