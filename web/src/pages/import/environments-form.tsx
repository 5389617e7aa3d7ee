import { Button, FileButton, Textarea } from "@mantine/core";
import { useState } from "react";
import { addressOf } from "../../api/client.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Panel } from "../../components/layout/page.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./import.module.css";
import { ImportResults } from "./import-results.tsx";

export function EnvironmentsForm() {
  const m = useMessages();
  const [csv, setCsv] = useState("");
  const send = useChange("imports", "importEnvironments", [KEYS.clusters, KEYS.jobPages]);
  const submit = (dryRun: boolean) => send.mutate({ body: { csv }, query: { dryRun: dryRun ? "true" : undefined } });
  return (
    <Panel
      title={m.imports.environments}
      actions={
        <a href={addressOf("imports", "exportEnvironments")} download="environments.csv">
          {m.imports.export}
        </a>
      }
    >
      <div className={css.form}>
        <p>{m.imports.environmentsText}</p>
        <FileButton onChange={(file) => void file?.text().then(setCsv)} accept=".csv,text/csv">
          {(props) => (
            <Button variant="default" {...props}>
              {m.imports.chooseFile}
            </Button>
          )}
        </FileButton>
        <Textarea
          label={m.imports.environments}
          className={css.mono ?? ""}
          rows={8}
          value={csv}
          spellCheck={false}
          onChange={(event) => setCsv(event.currentTarget.value)}
        />
        {send.error === null ? null : <ErrorPanel error={send.error} />}
        {send.data === undefined ? null : <ImportResults results={send.data.items} />}
        <div className={css.actions}>
          <ChangeButton variant="default" disabled={csv.trim() === ""} onClick={() => submit(true)}>
            {m.imports.check}
          </ChangeButton>
          <ChangeButton disabled={csv.trim() === ""} loading={send.isPending} onClick={() => submit(false)}>
            {m.imports.declare}
          </ChangeButton>
        </div>
      </div>
    </Panel>
  );
}
