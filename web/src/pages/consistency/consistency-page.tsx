import { IconArrowsDiff, IconCircleX, IconGhost2, IconHelpCircle, IconUserQuestion } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, addressOf } from "../../api/client.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi, useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Empty, Loaded } from "../../components/feedback/states.tsx";
import { Page, Panel } from "../../components/layout/page.tsx";
import table from "../../components/layout/table.module.css";
import { Status } from "../../components/status/status.tsx";
import type { Look } from "../../components/status/status-look.ts";
import { Ago } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";

const CONSISTENCY = ["clusters", "consistency"] as const;

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
  const safe = (found.data?.items ?? []).filter(({ repair }) => repair !== null && !repair.destructive);
  return (
    <Page
      title={m.consistency.title}
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
      <Panel title={m.consistency.differences} flush>
        <Loaded query={found}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={m.consistency.none} text={m.consistency.noneText} />
            ) : (
              <Differences items={items} onRepair={(item) => setRepaired([item])} />
            )
          }
        </Loaded>
      </Panel>
      {repaired.length === 0 ? null : <RepairDialog items={repaired} onClose={() => setRepaired([])} />}
    </Page>
  );
}

interface DifferencesProps {
  readonly items: readonly Inconsistency[];
  readonly onRepair: (item: Inconsistency) => void;
}

function Differences({ items, onRepair }: DifferencesProps) {
  const m = useMessages();
  const { may } = useSession();
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{m.consistency.verdict}</th>
            <th scope="col">{m.clusters.name}</th>
            <th scope="col">{m.consistency.system}</th>
            <th scope="col">{m.consistency.what}</th>
            <th scope="col">{m.consistency.repair}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td>
                <Status look={VERDICT_LOOKS[item.verdict]}>{m.verdicts[item.verdict]}</Status>
              </td>
              <td>
                {item.cluster === null ? (
                  "–"
                ) : (
                  <Link to="/clusters/$name/$tab" params={{ name: item.cluster, tab: "diff" }}>
                    {item.cluster}
                  </Link>
                )}
              </td>
              <td data-label={m.consistency.system}>{item.system}</td>
              <td>{item.message}</td>
              <td>
                {item.repair === null || !may("operator") ? (
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
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
      <ul>
        {items.map(({ id, cluster, repair: how }) => (
          <li key={id}>
            <b>{cluster}</b> {how?.summary}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
