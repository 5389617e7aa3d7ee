import { Button } from "@mantine/core";
import { DifferenceTable } from "../../components/diff/difference-table.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import type { MergedField } from "../../lib/merge-three.ts";
import css from "./editor.module.css";

interface MovedOnProps {
  readonly fields: readonly MergedField[];
  /** These fields are taken from the others; the rest stays as it is here. */
  readonly onMerge: (taken: readonly MergedField[]) => void;
}

/** Somebody else changed the cluster meanwhile: what they changed, and how to go on without losing either. */
export function MovedOn({ fields, onMerge }: MovedOnProps) {
  const m = useMessages();
  const conflicts = fields.filter(({ isConflict }) => isConflict);
  return (
    <section className={css.warn} role="alert">
      <h2>{m.editor.movedOn}</h2>
      <p>{conflicts.length === 0 ? m.editor.movedOnText : m.editor.conflictText(conflicts.length)}</p>
      {fields.length === 0 ? null : (
        <DifferenceTable
          differences={fields.map(({ path, mine, theirs, isConflict }) => ({
            ...{ path, before: mine, after: theirs },
            note: isConflict ? m.editor.conflict : m.editor.theirChange,
          }))}
          before={m.editor.mine}
          after={m.editor.theirs}
        />
      )}
      <div style={{ display: "flex", gap: 8, marginTop: 8, flexWrap: "wrap" }}>
        <Button size="xs" onClick={() => onMerge(fields.filter(({ isConflict }) => !isConflict))}>
          {m.editor.mergeMine}
        </Button>
        {conflicts.length === 0 ? null : (
          <Button size="xs" variant="default" onClick={() => onMerge(fields)}>
            {m.editor.mergeTheirs}
          </Button>
        )}
      </div>
    </section>
  );
}
