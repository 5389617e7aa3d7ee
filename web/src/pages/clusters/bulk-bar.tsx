import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { callApi } from "../../api/client.ts";
import { useSession } from "../../api/session.tsx";
import { ChangeButton } from "../../components/change/change-button.tsx";
import css from "../../components/list/list.module.css";
import type { Selection } from "../../components/list/selection.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { OPERATIONS, type Operation } from "./operations.ts";

const BatchDialog = lazy(async () => ({ default: (await import("./batch-dialog.tsx")).BatchDialog }));

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
        <Suspense fallback={null}>
          <BatchDialog operation={operation} names={[...selection.keys]} onClose={() => setOperation(null)} />
        </Suspense>
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
