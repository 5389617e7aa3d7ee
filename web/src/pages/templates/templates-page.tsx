import { lazy, Suspense, useState } from "react";
import { addressOf } from "../../api/client.ts";
import type { Template } from "../../api/objects.ts";
import { useSession } from "../../api/session.tsx";
import { useApi, useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { Empty, Loaded } from "../../components/feedback/states.tsx";
import { Page, Panel } from "../../components/layout/page.tsx";
import table from "../../components/layout/table.module.css";
import { ByWhom } from "../../components/people/by-whom.tsx";
import { Ago } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { InstantiateDialog } from "./instantiate-dialog.tsx";
import { TEMPLATES } from "./template-key.ts";

/** It brings the editor with it. */
const TemplateDialog = lazy(async () => ({ default: (await import("./template-dialog.tsx")).TemplateDialog }));

type Open = { readonly kind: "new" } | { readonly kind: "edit" | "use" | "delete"; readonly template: Template } | null;

/** Clusters that are made alike: a document with parameters. */
export function TemplatesPage() {
  const m = useMessages();
  const { may } = useSession();
  const templates = useApi(TEMPLATES, "templates", "listTemplates", {});
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <Page
      title={m.templates.title}
      actions={
        <>
          {may("operator") ? (
            <ChangeButton onClick={() => setOpen({ kind: "new" })}>{m.templates.create}</ChangeButton>
          ) : null}
          <CopyAs
            cli={["drover", "get", "templates"]}
            api={addressOf("templates", "listTemplates")}
            yaml={() => objectToYaml(templates.data?.items ?? [])}
          />
        </>
      }
    >
      <Panel title={m.templates.title} flush>
        <Loaded query={templates}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={m.templates.none} text={m.templates.noneText} />
            ) : (
              <div className={table.scroll}>
                <table className={table.table}>
                  <thead>
                    <tr>
                      <th scope="col">{m.clusters.name}</th>
                      <th scope="col">{m.templates.description}</th>
                      <th scope="col">{m.templates.parameters}</th>
                      <th scope="col">{m.templates.changed}</th>
                      <th scope="col">
                        <span className="visually-hidden">{m.nodes.actions}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((template) => (
                      <tr key={template.name}>
                        <td>
                          <b>{template.name}</b>
                        </td>
                        <td>{template.description ?? "–"}</td>
                        <td data-label={m.templates.parameters}>
                          {template.parameters.map(({ name }) => name).join(", ") || "–"}
                        </td>
                        <td data-label={m.templates.changed}>
                          <ByWhom actor={template.updatedBy} /> <Ago time={template.updatedTime} />
                        </td>
                        <td style={{ whiteSpace: "nowrap" }}>
                          <CopyAs
                            of={template.name}
                            cli={["drover", "get", "templates", template.name, "-o", "yaml"]}
                            api={addressOf("templates", "getTemplate", { params: { name: template.name } })}
                            yaml={() => objectToYaml(template)}
                          />{" "}
                          {may("operator") ? (
                            <>
                              <ChangeButton size="compact-sm" onClick={() => setOpen({ kind: "use", template })}>
                                {m.templates.use}
                              </ChangeButton>{" "}
                              <ChangeButton
                                size="compact-sm"
                                variant="default"
                                onClick={() => setOpen({ kind: "edit", template })}
                              >
                                {m.cluster.edit}
                              </ChangeButton>{" "}
                              <ChangeButton
                                size="compact-sm"
                                variant="subtle"
                                color="red"
                                onClick={() => setOpen({ kind: "delete", template })}
                              >
                                {m.cluster.delete}
                              </ChangeButton>
                            </>
                          ) : null}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </Panel>
      <Suspense>
        {open?.kind === "new" ? <TemplateDialog onClose={close} /> : null}
        {open?.kind === "edit" ? <TemplateDialog template={open.template} onClose={close} /> : null}
      </Suspense>
      {open?.kind === "use" ? <InstantiateDialog template={open.template} onClose={close} /> : null}
      {open?.kind === "delete" ? <DeleteTemplate template={open.template} onClose={close} /> : null}
    </Page>
  );
}

function DeleteTemplate({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) {
  const m = useMessages();
  const remove = useChange("templates", "deleteTemplate", [TEMPLATES]);
  return (
    <ConfirmDialog
      title={m.cluster.deleteTitle(template.name)}
      opened
      onClose={onClose}
      confirmLabel={m.cluster.delete}
      danger
      reason="none"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { name: template.name } }, { onSuccess: onClose })}
    >
      <p>{m.templates.deleteText}</p>
    </ConfirmDialog>
  );
}
