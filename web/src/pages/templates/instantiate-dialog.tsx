import { NumberInput, Switch, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Template } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { useMessages } from "../../i18n/use-language.tsx";

type Value = string | number | boolean;

interface InstantiateDialogProps {
  readonly template: Template;
  readonly onClose: () => void;
}

/** A cluster from a template: its name, and a field for each parameter. */
export function InstantiateDialog({ template, onClose }: InstantiateDialogProps) {
  const m = useMessages();
  const navigate = useNavigate();
  const [cluster, setCluster] = useState("");
  const [values, setValues] = useState<Readonly<Record<string, Value>>>(() =>
    Object.fromEntries(
      template.parameters.flatMap(({ name, default: given }) => (given === undefined ? [] : [[name, given]])),
    ),
  );
  const make = useChange("templates", "instantiateTemplate", [KEYS.clusters, KEYS.jobPages]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(
      { params: { name: template.name }, body: { cluster, parameters: values } },
      {
        onSuccess: ({ jobId }) => {
          onClose();
          if (jobId !== null) void navigate({ to: "/jobs/$id", params: { id: jobId } });
        },
      },
    );
  };
  const set = (name: string, value: Value) => setValues({ ...values, [name]: value });
  return (
    <Dialog title={m.templates.useTitle(template.name)} opened onClose={onClose}>
      <form onSubmit={submit} style={{ display: "contents" }}>
        <TextInput
          label={m.editor.name}
          description={m.editor.nameText}
          value={cluster}
          required
          data-autofocus
          onChange={(event) => setCluster(event.currentTarget.value)}
        />
        {template.parameters.map(({ name, type, description }) => {
          const value = values[name];
          const field = { label: name, ...(description === undefined ? {} : { description }) };
          if (type === "boolean") {
            return (
              <Switch
                key={name}
                {...field}
                checked={value === true}
                onChange={(event) => set(name, event.currentTarget.checked)}
              />
            );
          }
          return type === "number" ? (
            <NumberInput
              key={name}
              {...field}
              value={Number(value ?? 0)}
              onChange={(next) => set(name, Number(next))}
            />
          ) : (
            <TextInput
              key={name}
              {...field}
              value={typeof value === "string" ? value : ""}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          );
        })}
        {make.error === null ? null : <ErrorPanel error={make.error} />}
        <ChangeButton type="submit" loading={make.isPending}>
          {m.editor.create}
        </ChangeButton>
      </form>
    </Dialog>
  );
}
