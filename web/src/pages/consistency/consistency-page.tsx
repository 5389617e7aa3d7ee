import { IconArrowsDiff, IconCircleX, IconGhost2, IconHelpCircle, IconUserQuestion } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { type Answer, addressOf } from "../../api/client.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi, useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import dialogs from "../../components/dialogs/dialogs.module.css";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Empty } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import { type Column, ResourceTable } from "../../components/list/resource-table.tsx";
import { RowLink } from "../../components/list/row-link.tsx";
import { wholeList } from "../../components/list/whole-list.ts";
import { Status } from "../../components/status/status.tsx";
import type { Look } from "../../components/status/status-look.ts";
import { Ago } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";

const CONSISTENCY = ["clusters", "consistency"] as const;

const idOf = ({ id }: Inconsistency): string => id;

type Inconsistency = Answer<"imports", "getConsistency">["items"][number];

const VERDICT_LOOKS: Readonly<Record<Inconsistency["verdict"], Look>> = {
  missing: { tone: "bad", icon: IconCircleX },
  orphaned: { tone: "warn", icon: IconGhost2 },
  different: { tone: "warn", icon: IconArrowsDiff },
  foreign: { tone: "idle", icon: IconUserQuestion },
  unknown: { tone: "idle", icon: IconHelpCircle },
};

/** Where what is stored and what exists disagree, and how each difference would be repaired. */
export function ConsistencyPage() {
  const m = useMessages();
  const { may } = useSession();
  const found = useApi(CONSISTENCY, "imports", "getConsistency", {});
  const check = useChange("imports", "checkConsistency", [CONSISTENCY]);
  const [repaired, setRepaired] = useState<readonly Inconsistency[]>([]);
  const repairOne = useCallback((item: Inconsistency) => setRepaired([item]), []);
  const safe = (found.data?.items ?? []).filter(({ repair }) => repair !== null && !repair.destructive);
  return (
    <Page
      title={m.consistency.title}
      full
      subtitle={
        found.data?.checkedTime == null ? (
          <span>{m.consistency.never}</span>
        ) : (
          <span>
            {m.consistency.checked} <Ago time={found.data.checkedTime} />
          </span>
        )
      }
      actions={
        <>
          {may("operator") ? (
            <ChangeButton variant="default" loading={check.isPending} onClick={() => check.mutate({})}>
              {m.consistency.check}
            </ChangeButton>
          ) : null}
          {may("operator") && safe.length > 0 ? (
            <ChangeButton onClick={() => setRepaired(safe)}>{m.consistency.repairSafe(safe.length)}</ChangeButton>
          ) : null}
          <CopyAs
            cli={["drover", "check"]}
            api={addressOf("imports", "getConsistency")}
            yaml={() => objectToYaml(found.data?.items ?? [])}
          />
        </>
      }
    >
      {check.error === null ? null : <ErrorPanel error={check.error} />}
      <ResourceTable
        label={m.consistency.differences}
        identity="consistency"
        list={wholeList(found)}
        total={found.data?.items.length}
        columns={useColumns(repairOne)}
        keyOf={idOf}
        empty={<Empty title={m.consistency.none} text={m.consistency.noneText} />}
      />
      {repaired.length === 0 ? null : <RepairDialog items={repaired} onClose={() => setRepaired([])} />}
    </Page>
  );
}

function useColumns(onRepair: (item: Inconsistency) => void): readonly Column<Inconsistency>[] {
  const m = useMessages();
  const { may } = useSession();
  const mayRepair = may("operator");
  return useMemo(
    () => [
      {
        id: "verdict",
        header: m.consistency.verdict,
        width: "120px",
        cell: ({ verdict }) => <Status look={VERDICT_LOOKS[verdict]}>{m.verdicts[verdict]}</Status>,
      },
      {
        id: "cluster",
        header: m.clusters.name,
        width: "minmax(110px, 2fr)",
        cell: ({ cluster }) => (cluster === null ? "–" : <RowLink to={`/clusters/${cluster}/diff`}>{cluster}</RowLink>),
      },
      { id: "system", header: m.consistency.system, width: "100px", wide: true, cell: ({ system }) => system },
      {
        id: "what",
        header: m.consistency.what,
        width: "minmax(150px, 4fr)",
        wide: true,
        cell: ({ message }) => <span title={message}>{message}</span>,
      },
      {
        id: "repair",
        header: m.consistency.repair,
        width: "minmax(140px, 2fr)",
        cell: (item) =>
          item.repair === null || !mayRepair ? (
            (item.repair?.summary ?? m.consistency.noRepair)
          ) : (
            <ChangeButton
              size="compact-sm"
              variant={item.repair.destructive ? "outline" : "default"}
              color={item.repair.destructive ? "red" : "blue"}
              onClick={() => onRepair(item)}
            >
              {item.repair.summary}
            </ChangeButton>
          ),
      },
    ],
    [m, mayRepair, onRepair],
  );
}

/** What is destroyed is confirmed one by one, by typing what it is. */
function RepairDialog({ items, onClose }: { readonly items: readonly Inconsistency[]; readonly onClose: () => void }) {
  const m = useMessages();
  const navigate = useNavigate();
  const repair = useChange("imports", "repairConsistency", [CONSISTENCY, KEYS.jobPages]);
  const destroyed = items.find((item) => item.repair?.destructive === true);
  return (
    <ConfirmDialog
      title={m.consistency.repairTitle(items.length)}
      opened
      onClose={onClose}
      confirmLabel={m.consistency.repair}
      reason="required"
      danger={destroyed !== undefined}
      busy={repair.isPending}
      error={repair.error}
      {...(destroyed === undefined ? {} : { typed: destroyed.cluster ?? destroyed.id })}
      onConfirm={(reason) =>
        repair.mutate(
          { body: { ids: items.map(({ id }) => id), reason } },
          {
            onSuccess: ({ jobIds }) => {
              onClose();
              if (jobIds[0] !== undefined) void navigate({ to: "/jobs/$id", params: { id: jobIds[0] } });
            },
          },
        )
      }
    >
      <ul className={dialogs.names}>
        {items.map(({ id, cluster, repair: how }) => (
          <li key={id}>
            <b>{cluster}</b> {how?.summary}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
