import { Button, Checkbox, FileButton, Textarea, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { KEYS } from "../../api/query-keys.ts";
import { useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Panel } from "../../components/layout/page.tsx";
import { readDocument } from "../../components/yaml/yaml-document.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./import.module.css";
import { ImportResults } from "./import-results.tsx";

/** The names of the contexts in a kubeconfig. It is read here and sent only when somebody imports it. */
function listContexts(text: string): readonly string[] {
  const { value } = readDocument(text);
  const contexts = (value as { readonly contexts?: unknown } | undefined)?.contexts;
  if (!Array.isArray(contexts)) return [];
  return contexts.flatMap((context: unknown) => {
    const name = (context as { readonly name?: unknown } | null)?.name;
    return typeof name === "string" ? [name] : [];
  });
}

const nameFrom = (context: string): string =>
  context
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 50);

export function KubeconfigForm() {
  const m = useMessages();
  const [text, setText] = useState("");
  const [names, setNames] = useState<Readonly<Record<string, string | null>>>({});
  const contexts = useMemo(() => listContexts(text), [text]);
  const send = useChange("imports", "importKubeconfig", [KEYS.clusters, KEYS.jobPages]);
  const nameOf = (context: string) => (names[context] === undefined ? nameFrom(context) : names[context]);
  const chosen = contexts.flatMap((context) => {
    const name = nameOf(context);
    return name === null ? [] : [{ context, name }];
  });
  const submit = (dryRun: boolean) => send.mutate({ body: { kubeconfig: text, contexts: chosen, dryRun } });
  return (
    <Panel title={m.imports.kubeconfig}>
      <div className={css.form}>
        <p>{m.imports.kubeconfigText}</p>
        <FileButton onChange={(file) => void file?.text().then(setText)} accept="*/*">
          {(props) => (
            <Button variant="default" {...props}>
              {m.imports.chooseFile}
            </Button>
          )}
        </FileButton>
        <Textarea
          label={m.imports.kubeconfig}
          className={css.mono ?? ""}
          rows={8}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {contexts.map((context) => (
          <div key={context} className={css.pair}>
            <Checkbox
              aria-label={m.imports.take(context)}
              checked={nameOf(context) !== null}
              onChange={(event) =>
                setNames({ ...names, [context]: event.currentTarget.checked ? nameFrom(context) : null })
              }
            />
            <code>{context}</code>
            <TextInput
              aria-label={m.imports.nameOf(context)}
              value={nameOf(context) ?? ""}
              disabled={nameOf(context) === null}
              onChange={(event) => setNames({ ...names, [context]: event.currentTarget.value })}
            />
          </div>
        ))}
        {send.error === null ? null : <ErrorPanel error={send.error} />}
        {send.data === undefined ? null : <ImportResults results={send.data.items} />}
        <div className={css.actions}>
          <ChangeButton variant="default" disabled={chosen.length === 0} onClick={() => submit(true)}>
            {m.imports.check}
          </ChangeButton>
          <ChangeButton disabled={chosen.length === 0} loading={send.isPending} onClick={() => submit(false)}>
            {m.imports.importButton(chosen.length)}
          </ChangeButton>
        </div>
      </div>
    </Panel>
  );
}
