import { Button, Checkbox, Menu, TextInput } from "@mantine/core";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useSession } from "../../api/session.tsx";
import { useApi, useChange } from "../../api/use-api.ts";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { parseSearch, stringifySearch } from "../../lib/search-params.ts";
import { type ClusterSearch, readClusterSearch } from "./search.ts";

const VIEWS = ["views"] as const;

interface SavedViewsProps {
  readonly search: ClusterSearch;
  readonly onChoose: (search: ClusterSearch) => void;
}

/** Filters that somebody gave a name: a view is the part of the address behind the question mark. */
export function SavedViews({ search, onChoose }: SavedViewsProps) {
  const m = useMessages();
  const { user } = useSession();
  const views = useApi(VIEWS, "groups", "listViews", {});
  const remove = useChange("groups", "deleteView", [VIEWS]);
  const [isSaving, setSaving] = useState(false);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            {m.views.title}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(views.data?.items ?? []).map(({ id, title, query, owner }) => (
            <Menu.Item key={id} onClick={() => onChoose(readClusterSearch(parseSearch(query)))}>
              <bdi>{title}</bdi>
              {owner === user?.name ? "" : ` · ${owner}`}
            </Menu.Item>
          ))}
          {views.data?.items.length === 0 ? <Menu.Label>{m.views.none}</Menu.Label> : null}
          <Menu.Divider />
          <Menu.Item onClick={() => setSaving(true)}>{m.views.save}</Menu.Item>
          {(views.data?.items ?? [])
            .filter(({ owner }) => owner === user?.name)
            .map(({ id, title }) => (
              <Menu.Item
                key={id}
                color="red"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() => remove.mutate({ params: { id } })}
              >
                {m.views.remove(title)}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog title={m.views.save} opened={isSaving} onClose={() => setSaving(false)}>
        <SaveForm search={search} onDone={() => setSaving(false)} />
      </Dialog>
    </>
  );
}

function SaveForm({ search, onDone }: { readonly search: ClusterSearch; readonly onDone: () => void }) {
  const m = useMessages();
  const save = useChange("groups", "saveView", [VIEWS]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const title = form.get("title");
    const body = {
      title: typeof title === "string" ? title : "",
      shared: form.get("shared") === "on",
      query: stringifySearch({ ...search }).replace(/^\?/, "") || "view=table",
    };
    save.mutate({ body }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} style={{ display: "contents" }}>
      <TextInput name="title" label={m.views.name} required maxLength={100} data-autofocus />
      <Checkbox name="shared" label={m.views.shared} />
      {save.error === null ? null : <ErrorPanel error={save.error} />}
      <Button type="submit" loading={save.isPending}>
        {m.common.save}
      </Button>
    </form>
  );
}
