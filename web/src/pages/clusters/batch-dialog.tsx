import { NumberInput, TagsInput, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { KEYS } from "../../api/query-keys.ts";
import { useChange } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import dialogs from "../../components/dialogs/dialogs.module.css";
import { useMessages } from "../../i18n/use-language.tsx";
import type { Operation } from "./operations.ts";

interface BatchDialogProps {
  readonly operation: Operation;
  readonly names: readonly string[];
  readonly onClose: () => void;
}

/** What is done with which clusters, how many at once, and why. */
export function BatchDialog({ operation, names, onClose }: BatchDialogProps) {
  const m = useMessages();
  const navigate = useNavigate();
  const create = useChange("batches", "createBatch", [KEYS.batches]);
  const [waveSize, setWaveSize] = useState(Math.min(10, names.length));
  const [maxFailures, setMaxFailures] = useState(0);
  const [version, setVersion] = useState("");
  const [labels, setLabels] = useState<readonly string[]>([]);
  const isDelete = operation === "delete";
  const send = (reason: string) =>
    create.mutate(
      {
        body: {
          ...{ operation, clusters: [...names], waveSize, maxFailures, reason },
          ...(operation === "upgrade" ? { version } : {}),
          ...(operation === "label" ? { labels: readLabels(labels) } : {}),
          ...(isDelete ? { consent: true } : {}),
        },
      },
      { onSuccess: ({ id }) => void navigate({ to: "/batches/$id", params: { id } }) },
    );
  return (
    <ConfirmDialog
      title={m.bulk.heading(m.operations[operation], names.length)}
      opened
      onClose={onClose}
      onConfirm={send}
      confirmLabel={m.operations[operation]}
      danger={isDelete}
      reason="required"
      busy={create.isPending}
      error={create.error}
      {...(isDelete ? { typed: `delete ${names.length}` } : {})}
    >
      <ul className={dialogs.names} aria-label={m.bulk.list}>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {operation === "upgrade" ? (
        <TextInput
          label={m.bulk.version}
          placeholder="v1.34.4"
          value={version}
          required
          onChange={(event) => setVersion(event.currentTarget.value.trim())}
        />
      ) : null}
      {operation === "label" ? (
        <TagsInput label={m.bulk.labels} placeholder="env=prod" value={[...labels]} onChange={setLabels} />
      ) : null}
      <div style={{ display: "flex", gap: 16 }}>
        <NumberInput
          label={m.bulk.waveSize}
          description={m.bulk.waves(Math.ceil(names.length / Math.max(1, waveSize)))}
          value={waveSize}
          min={1}
          max={1000}
          onChange={(value) => setWaveSize(Number(value) || 1)}
        />
        <NumberInput
          label={m.bulk.maxFailures}
          description={m.bulk.maxFailuresText}
          value={maxFailures}
          min={0}
          max={10_000}
          onChange={(value) => setMaxFailures(Number(value) || 0)}
        />
      </div>
    </ConfirmDialog>
  );
}

function readLabels(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairs.map((pair) => [pair.split("=", 1)[0] ?? "", pair.slice(pair.indexOf("=") + 1)]));
}
