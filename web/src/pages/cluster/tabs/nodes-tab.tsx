import { Button, Menu } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Cluster, ClusterNode } from "../../../api/objects.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useSession } from "../../../api/session.tsx";
import { useApi, useChange } from "../../../api/use-api.ts";
import { ChangeItem } from "../../../components/change/change-item.tsx";
import { ConfirmDialog } from "../../../components/dialogs/confirm-dialog.tsx";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { useAllMachines } from "../../../components/machines/use-all-machines.ts";
import { Status } from "../../../components/status/status.tsx";
import { NODE_LOOKS } from "../../../components/status/status-look.ts";
import { Ago } from "../../../components/time/time.tsx";
import { useFormat } from "../../../i18n/use-format.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "../cluster.module.css";

type NodeAction = "cordon" | "uncordon" | "drain";

export function NodesTab({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { name } = cluster.metadata;
  const nodes = useApi(KEYS.cluster(name), "clusterDetails", "listNodes", { params: { name } });
  const isOnMachines = cluster.spec.provider === "ssh";
  const machines = useAllMachines(isOnMachines).data ?? [];
  const machineOf = (node: string) =>
    machines.find(({ usedBy }) => usedBy?.cluster === name && usedBy.node === node)?.name ?? null;
  const [order, setOrder] = useState<{ readonly node: string; readonly action: NodeAction } | null>(null);
  return (
    <Panel
      title={m.clusters.nodes}
      flush
      actions={
        nodes.data === undefined ? null : (
          <span className={css.soft}>
            {m.cluster.seen} <Ago time={nodes.data.seenTime} />
          </span>
        )
      }
    >
      <Loaded query={nodes}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={m.nodes.none} />
          ) : (
            <div className={table.scroll}>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th scope="col">{m.nodes.name}</th>
                    <th scope="col">{m.nodes.status}</th>
                    <th scope="col">{m.nodes.roles}</th>
                    <th scope="col">{m.clusters.version}</th>
                    <th scope="col">{m.nodes.cpu}</th>
                    <th scope="col">{m.nodes.memory}</th>
                    <th scope="col">{m.nodes.pods}</th>
                    <th scope="col">
                      <span className="visually-hidden">{m.nodes.actions}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((node) => (
                    <NodeRow
                      key={node.name}
                      node={node}
                      machine={machineOf(node.name)}
                      onOrder={(action) => setOrder({ node: node.name, action })}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      {order === null ? null : <NodeDialog cluster={name} {...order} onClose={() => setOrder(null)} />}
    </Panel>
  );
}

interface NodeRowProps {
  readonly node: ClusterNode;
  /** The enrolled machine that it is, if it is one. */
  readonly machine: string | null;
  readonly onOrder: (action: NodeAction) => void;
}

const GIBIBYTE = 1024 ** 3;

function NodeRow({ node, machine, onOrder }: NodeRowProps) {
  const m = useMessages();
  const { may } = useSession();
  const isOut = node.status === "Cordoned" || node.status === "Drained";
  const actions: readonly NodeAction[] = isOut ? ["uncordon", "drain"] : ["cordon", "drain"];
  return (
    <tr>
      <td>
        {node.name}
        {node.address === null ? null : <div className={css.soft}>{node.address}</div>}
        {machine === null ? null : (
          <Link to="/machines" search={{ machine }}>
            {m.machines.named(machine)}
          </Link>
        )}
      </td>
      <td>
        <Status look={NODE_LOOKS[node.status]}>{m.nodeStates[node.status]}</Status>
      </td>
      <td data-label={m.nodes.roles}>{node.roles.join(", ")}</td>
      <td data-label={m.clusters.version}>{node.version ?? "–"}</td>
      <td data-label={m.nodes.cpu}>
        <Amount amount={node.cpu} unit={m.nodes.cores} />
      </td>
      <td data-label={m.nodes.memory}>
        <Amount
          amount={{
            capacity: node.memory.capacity / GIBIBYTE,
            used: node.memory.used === null ? null : node.memory.used / GIBIBYTE,
          }}
          unit="GiB"
        />
      </td>
      <td data-label={m.nodes.pods}>
        <Amount amount={node.pods} unit="" />
      </td>
      <td>
        {may("operator") ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="compact-sm" variant="default" aria-label={m.nodes.actionsOf(node.name)}>
                {m.nodes.actions}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {actions.map((action) => (
                <ChangeItem key={action} onClick={() => onOrder(action)}>
                  {m.nodes[action]}
                </ChangeItem>
              ))}
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </td>
    </tr>
  );
}

function Amount({ amount, unit }: { readonly amount: ClusterNode["cpu"]; readonly unit: string }) {
  const format = useFormat();
  const round = (value: number) => format.number(Math.round(value * 10) / 10);
  if (amount.used === null) return <>{`${round(amount.capacity)} ${unit}`}</>;
  return (
    <>{`${round(amount.used)} / ${round(amount.capacity)} ${unit} · ${format.percent(amount.used / amount.capacity)}`}</>
  );
}

interface NodeDialogProps {
  readonly cluster: string;
  readonly node: string;
  readonly action: NodeAction;
  readonly onClose: () => void;
}

function NodeDialog({ cluster, node, action, onClose }: NodeDialogProps) {
  const m = useMessages();
  const navigate = useNavigate();
  const change = useChange("clusterDetails", "changeNode", [KEYS.cluster(cluster), KEYS.jobPages]);
  return (
    <ConfirmDialog
      title={m.nodes.title(m.nodes[action], node)}
      opened
      onClose={onClose}
      confirmLabel={m.nodes[action]}
      busy={change.isPending}
      error={change.error}
      onConfirm={(reason) =>
        change.mutate(
          { params: { name: cluster, node, action }, body: reason === "" ? {} : { reason } },
          {
            onSuccess: ({ jobId }) => {
              onClose();
              if (jobId !== null) void navigate({ to: "/jobs/$id", params: { id: jobId } });
            },
          },
        )
      }
    >
      <p>{m.nodes.texts[action]}</p>
    </ConfirmDialog>
  );
}
