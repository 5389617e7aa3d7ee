import { Button, NumberInput, TagsInput, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callApi } from "../../api/client.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import dialogs from "../../components/dialogs/dialogs.module.css";
import css from "../../components/list/list.module.css";
import type { Selection } from "../../components/list/selection.ts";
import { useMessages } from "../../i18n/use-language.tsx";

const OPERATIONS = ["reconcile", "upgrade", "label", "pause", "resume", "delete"] as const;
type Operation = (typeof OPERATIONS)[number];

type Filter = Readonly<Record<string, string | readonly string[] | undefined>>;

interface BulkBarProps {
  readonly selection: Selection;
  readonly filter: Filter;
  readonly total: number;
}

/** What can be done with the clusters that are marked: a batch, in waves. */
export function BulkBar({ selection, filter, total }: BulkBarProps) {
  const m = useMessages();
  const { may } = useSession();
  const [operation, setOperation] = useState<Operation | null>(null);
  const [isCollecting, setCollecting] = useState(false);
  const chosen = selection.keys.size;
  if (chosen === 0 || !may("operator")) return null;
  const chooseAll = async () => {
    setCollecting(true);
    selection.set(await collectNames(filter));
    setCollecting(false);
  };
  return (
    <div className={css.bulk} role="group" aria-label={m.bulk.title}>
      <strong>{m.bulk.chosen(chosen)}</strong>
      {chosen < total ? (
        <Button size="compact-sm" variant="subtle" loading={isCollecting} onClick={() => void chooseAll()}>
          {m.bulk.all(total)}
        </Button>
      ) : null}
      {OPERATIONS.map((one) => (
        <ChangeButton
          key={one}
          size="compact-sm"
          variant={one === "delete" ? "filled" : "default"}
          color={one === "delete" ? "red" : "blue"}
          onClick={() => setOperation(one)}
        >
          {m.operations[one]}
        </ChangeButton>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={() => selection.set([])}>
        {m.bulk.none}
      </Button>
      {operation === null ? null : (
        <BatchDialog operation={operation} names={[...selection.keys]} onClose={() => setOperation(null)} />
      )}
    </div>
  );
}

/** Every name that the filter meets now. What comes later is not part of it: the batch does what was looked at. */
async function collectNames(filter: Filter): Promise<readonly string[]> {
  const names: string[] = [];
  let after: string | undefined;
  do {
    const page = await callApi("clusters", "listClusters", { query: { ...filter, after, limit: 500 } });
    names.push(...page.items.map(({ metadata }) => metadata.name));
    after = page.next ?? undefined;
  } while (after !== undefined && names.length < 10_000);
  return names;
}

interface BatchDialogProps {
  readonly operation: Operation;
  readonly names: readonly string[];
  readonly onClose: () => void;
}

function BatchDialog({ operation, names, onClose }: BatchDialogProps) {
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
