import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { stringify } from "yaml";
import type { Template } from "../../api/objects.ts";
import { useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { readDocument } from "../../components/yaml/yaml-document.ts";
import { YamlEditor } from "../../components/yaml/yaml-editor.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { TEMPLATES } from "./template-key.ts";

type Content = Pick<Template, "description" | "parameters" | "document">;

const STARTING: Content = {
  parameters: [{ name: "workers", type: "number", default: 2 }],
  document: {
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a template names a parameter
    spec: { provider: "kind", kind: { workers: "${workers}" } },
  },
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a template names a parameter
const PARAMETER = "${name}";

interface TemplateDialogProps {
  readonly template?: Template;
  readonly onClose: () => void;
}

/** A template as YAML: its parameters, and the document in which they stand. */
export function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const m = useMessages();
  const [name, setName] = useState(template?.name ?? "");
  const [text, setText] = useState(() => stringify(contentOf(template ?? STARTING), { lineWidth: 0 }));
  const create = useChange("templates", "createTemplate", [TEMPLATES]);
  const change = useChange("templates", "changeTemplate", [TEMPLATES]);
  const { value, syntax } = readDocument(text);
  const error = create.error ?? change.error;
  const save = () => {
    const content = value as Content;
    const done = { onSuccess: onClose };
    if (template === undefined) create.mutate({ body: { name, ...content } }, done);
    else change.mutate({ params: { name }, body: content, version: String(template.version) }, done);
  };
  return (
    <Dialog
      title={template === undefined ? m.templates.create : m.editor.editTitle(template.name)}
      opened
      onClose={onClose}
      size="xl"
      pinned
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {m.common.cancel}
          </Button>
          <ChangeButton
            disabled={name === "" || syntax.length > 0 || typeof value !== "object" || value === null}
            loading={create.isPending || change.isPending}
            onClick={save}
          >
            {m.common.save}
          </ChangeButton>
        </>
      }
    >
      <TextInput
        label={m.editor.name}
        value={name}
        disabled={template !== undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <p>{m.templates.help(PARAMETER)}</p>
      <div style={{ height: "46vh", border: "1px solid var(--line)" }}>
        <YamlEditor label={m.editor.yaml} value={text} onChange={setText} marks={syntax} />
      </div>
      {error === null ? null : <ErrorPanel error={error} />}
    </Dialog>
  );
}

const contentOf = ({ description, parameters, document }: Content): Content => ({
  ...(description === undefined ? {} : { description }),
  ...{ parameters, document },
});
