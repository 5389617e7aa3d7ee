import type { Problem } from "@drover/contract";
import { NumberInput, Select, Switch, TagsInput, TextInput } from "@mantine/core";
import { describeProblem } from "../../i18n/describe-error.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./editor.module.css";
import { readAt, readTextAt } from "./read-at.ts";
import { SshFields } from "./ssh/ssh-fields.tsx";
import { COUNT_FIELDS, MAKERS, type Maker } from "./starting-document.ts";

interface ClusterFormProps {
  readonly value: unknown;
  /** While the document cannot be read, the form shows what it last said and takes nothing. */
  readonly isReadable: boolean;
  readonly problems: readonly Problem[];
  readonly isNew: boolean;
  readonly onSet: (path: string, value: unknown) => void;
  /** Changes the text itself, where more than one field is concerned. */
  readonly onEdit: (change: (text: string) => string) => void;
  readonly onProvider: (provider: Maker) => void;
  readonly onSubmit: () => void;
}

/** The fields that most clusters differ in. It reads and writes the document in the editor; it has no state of its own. */
export function ClusterForm({ value, isReadable, problems, isNew, onSet, ...rest }: ClusterFormProps) {
  const { onEdit, onProvider, onSubmit } = rest;
  const m = useMessages();
  const text = (path: string) => readTextAt(value, path);
  const provider = text("spec.provider") as Maker;
  const counts = COUNT_FIELDS[provider];
  const errorWhere = (meets: (path: string) => boolean) => {
    const found = problems.find(({ path }) => meets(path));
    return found === undefined ? undefined : describeProblem(m, found);
  };
  const errorAt = (path: string) => errorWhere((one) => one === path);
  const labels = readAt(value, "metadata.labels");
  const pairs = Object.entries(typeof labels === "object" && labels !== null ? labels : {}).map((pair) =>
    pair.join("="),
  );
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {isReadable ? null : <p className={css.warn}>{m.editor.formWaits}</p>}
      <fieldset className={css.fields} disabled={!isReadable}>
        <TextInput
          label={m.editor.name}
          description={m.editor.nameText}
          value={text("metadata.name")}
          disabled={!isNew}
          error={errorAt("metadata.name")}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onSet("metadata.name", event.currentTarget.value)}
        />
        <Select
          label={m.clusters.provider}
          description={m.providerTexts[provider] ?? undefined}
          value={provider}
          disabled={!isNew}
          allowDeselect={false}
          error={errorAt("spec.provider")}
          data={MAKERS.map((one) => ({ value: one, label: m.providers[one] }))}
          onChange={(next) => onProvider(next as Maker)}
        />
        <TextInput
          label={m.clusters.version}
          description={m.editor.versionText}
          placeholder="v1.34.4"
          value={text("spec.kubernetes.version")}
          error={errorAt("spec.kubernetes.version")}
          spellCheck={false}
          onChange={(event) => onSet("spec.kubernetes.version", event.currentTarget.value || undefined)}
        />
        {counts === undefined ? (
          <SshFields value={value} errorAt={errorAt} onSet={onSet} onEdit={onEdit} />
        ) : (
          <div className={css.pair}>
            {counts.map((path, index) => (
              <NumberInput
                key={path}
                label={index === 0 ? m.editor.controlPlanes : m.editor.workers}
                value={Number(readAt(value, path) ?? (index === 0 ? 1 : 0))}
                min={index === 0 ? 1 : 0}
                max={100}
                error={errorAt(path)}
                onChange={(next) => onSet(path, next === "" ? undefined : Number(next))}
              />
            ))}
          </div>
        )}
        <TagsInput
          label={m.clusters.labels}
          description={m.editor.labelsText}
          placeholder="env=dev"
          value={pairs}
          error={errorWhere((path) => path.startsWith("metadata.labels"))}
          onChange={(next) => onSet("metadata.labels", next.length === 0 ? undefined : readPairs(next))}
        />
        <TextInput
          label={m.editor.ttl}
          description={m.editor.ttlText}
          placeholder="8h"
          value={text("spec.maintenance.ttl")}
          error={errorAt("spec.maintenance.ttl")}
          onChange={(event) => onSet("spec.maintenance.ttl", event.currentTarget.value || undefined)}
        />
        <Switch
          label={m.editor.protected}
          checked={readAt(value, "spec.maintenance.protected") === true}
          onChange={(event) => onSet("spec.maintenance.protected", event.currentTarget.checked ? true : undefined)}
        />
        <button type="submit" className="visually-hidden" tabIndex={-1}>
          {m.editor.create}
        </button>
      </fieldset>
    </form>
  );
}

function readPairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return at === -1 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
