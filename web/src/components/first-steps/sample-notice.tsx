import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ApiError } from "../../api/api-error.ts";
import type { Batch } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi } from "../../api/use-api.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { ChangeButton } from "../change/change-button.tsx";
import { ConfirmDialog } from "../dialogs/confirm-dialog.tsx";
import css from "./first-steps.module.css";
import { removeSampleFleet, SAMPLE_SELECTOR } from "./sample-fleet.ts";

/** While there are sample clusters: what they are, and the way to be rid of them. */
export function SampleNotice() {
  const m = useMessages();
  const { may } = useSession();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const counts = useApi(KEYS.clusterCounts, "clusters", "countClusters", { query: { selector: SAMPLE_SELECTOR } });
  const remove = useMutation<Batch, ApiError>({
    mutationFn: removeSampleFleet,
    onSuccess: ({ id }) => void navigate({ to: "/batches/$id", params: { id } }),
  });
  const count = counts.data?.total ?? 0;
  if (count === 0 || !may("operator")) return null;
  return (
    <div className={css.samples}>
      <span>{m.first.samples(count)}</span>
      <ChangeButton size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {m.first.removeSamples}
      </ChangeButton>
      <ConfirmDialog
        title={m.first.removeSamples}
        opened={isOpen}
        onClose={() => setOpen(false)}
        confirmLabel={m.operations.delete}
        typed={`delete ${count}`}
        danger
        reason="none"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        <p>{m.first.removeSamplesText}</p>
      </ConfirmDialog>
    </div>
  );
}
