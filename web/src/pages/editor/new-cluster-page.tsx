import { Button } from "@mantine/core";
import { useMemo } from "react";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi } from "../../api/use-api.ts";
import { Bones, Forbidden } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import { readDocument } from "../../components/yaml/yaml-document.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { DocumentEditor } from "./document-editor.tsx";
import { useDraft } from "./draft.ts";
import { readTextAt } from "./read-at.ts";
import { MAKERS, type Maker, startingDocument } from "./starting-document.ts";

/** A new cluster: begins with a document that works, on what the workers here can do. */
export function NewClusterPage() {
  const m = useMessages();
  const { may } = useSession();
  const workers = useApi(KEYS.workers, "workers", "listWorkers", {});
  if (!may("operator")) {
    return (
      <Page title={m.editor.newTitle}>
        <Forbidden needs="operator" />
      </Page>
    );
  }
  if (workers.isPending) return <Bones />;
  const offered = new Set(workers.data?.items.flatMap(({ providers }) => providers) ?? []);
  const provider = MAKERS.find((one) => one !== "ssh" && offered.has(one)) ?? "simulated";
  return <NewCluster provider={provider} />;
}

function NewCluster({ provider }: { readonly provider: Maker }) {
  const m = useMessages();
  const initial = useMemo(() => startingDocument(provider, "dev-1"), [provider]);
  const draft = useDraft("new", initial, null);
  const name = () => readTextAt(readDocument(draft.text).value, "metadata.name") || "dev-1";
  return (
    <Page
      title={m.editor.newTitle}
      subtitle={<span>{draft.isChanged ? m.editor.draftKept : m.editor.newText}</span>}
      full
      actions={
        draft.isChanged ? (
          <Button variant="default" onClick={() => draft.setText(initial)}>
            {m.editor.discard}
          </Button>
        ) : undefined
      }
    >
      <DocumentEditor
        text={draft.text}
        onText={draft.setText}
        isNew
        onProvider={(next) => draft.setText(startingDocument(next, name()))}
        onDone={draft.forget}
      />
    </Page>
  );
}
