import { ActionIcon, Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots, IconPencil } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Cluster } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi, useChange } from "../../api/use-api.ts";
import { ChangeItem } from "../../components/change/change-item.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import dialogs from "../../components/dialogs/dialogs.module.css";
import { useMessages } from "../../i18n/use-language.tsx";
import { type Action, listActions } from "./list-actions.ts";

export function ClusterActions({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { may } = useSession();
  const [open, setOpen] = useState<Action | "delete" | null>(null);
  const { name } = cluster.metadata;
  if (!may("operator")) return null;
  return (
    <>
      <Button
        component={Link}
        to="/clusters/$name/edit"
        params={{ name } as never}
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
      >
        {m.cluster.edit}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="input-sm" aria-label={m.cluster.more} title={m.cluster.more}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {listActions(cluster).map((action) => (
            <ChangeItem key={action} onClick={() => setOpen(action)}>
              {m.cluster.actions[action]}
            </ChangeItem>
          ))}
          <Menu.Divider />
          <ChangeItem color="var(--bad)" onClick={() => setOpen("delete")}>
            {m.cluster.delete}
          </ChangeItem>
        </Menu.Dropdown>
      </Menu>
      {open === null || open === "delete" ? null : (
        <ActionDialog cluster={cluster} action={open} onClose={() => setOpen(null)} />
      )}
      <DeleteDialog cluster={cluster} opened={open === "delete"} onClose={() => setOpen(null)} />
    </>
  );
}

interface ActionDialogProps {
  readonly cluster: Cluster;
  readonly action: Action;
  readonly onClose: () => void;
}

function ActionDialog({ cluster, action, onClose }: ActionDialogProps) {
  const m = useMessages();
  const navigate = useNavigate();
  const { name } = cluster.metadata;
  const act = useChange("clusterActions", action, [KEYS.cluster(name), KEYS.clusterPages, KEYS.jobPages]);
  return (
    <ConfirmDialog
      title={m.cluster.actionTitle(m.cluster.actions[action], name)}
      opened
      onClose={onClose}
      confirmLabel={m.cluster.actions[action]}
      busy={act.isPending}
      error={act.error}
      onConfirm={(reason) =>
        act.mutate({ params: { name }, body: reason === "" ? {} : { reason } } as never, {
          onSuccess: (accepted) => {
            onClose();
            notifications.show({ message: m.cluster.accepted });
            const { jobId } = accepted as { readonly jobId: string | null };
            if (jobId !== null && action !== "cancel") void navigate({ to: "/jobs/$id", params: { id: jobId } });
          },
        })
      }
    >
      <p>{m.cluster.actionTexts[action]}</p>
    </ConfirmDialog>
  );
}

interface DeleteDialogProps {
  readonly cluster: Cluster;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Shows what will be gone, and wants the name typed. */
function DeleteDialog({ cluster, opened, onClose }: DeleteDialogProps) {
  const m = useMessages();
  const navigate = useNavigate();
  const { name } = cluster.metadata;
  const remove = useChange("clusters", "deleteCluster", [KEYS.cluster(name), KEYS.clusters, KEYS.jobPages]);
  const objects = useApi(
    KEYS.cluster(name),
    "clusterDetails",
    "listObjects",
    { params: { name } },
    { enabled: opened },
  );
  const isProtected = cluster.spec.maintenance.protected;
  const there = (objects.data?.items ?? []).filter(({ state }) => state !== "gone");
  return (
    <ConfirmDialog
      title={m.cluster.deleteTitle(name)}
      opened={opened}
      onClose={onClose}
      confirmLabel={m.cluster.delete}
      typed={name}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={(reason) =>
        remove.mutate(
          { params: { name }, query: { reason: reason === "" ? undefined : reason } },
          {
            onSuccess: ({ jobId }) => {
              onClose();
              if (jobId !== null) void navigate({ to: "/jobs/$id", params: { id: jobId } });
            },
          },
        )
      }
    >
      <p>{isProtected ? m.cluster.deleteProtected : m.cluster.deleteText}</p>
      {there.length === 0 ? null : (
        <div>
          <p>{m.cluster.deleteGone(there.length)}</p>
          <ul className={dialogs.names}>
            {there.map(({ system, kind, ref }) => (
              <li key={`${system}${kind}${ref}`}>
                {kind} {ref}
              </li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmDialog>
  );
}
