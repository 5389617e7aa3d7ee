import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Machine } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi, useChange } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Loaded } from "../../components/feedback/states.tsx";
import { LabelList } from "../../components/labels/label-list.tsx";
import { Facts } from "../../components/layout/page.tsx";
import { SidePanel } from "../../components/list/side-panel.tsx";
import { writeBastion } from "../../components/machines/access-draft.ts";
import css from "../../components/machines/machines.module.css";
import { ProblemList } from "../../components/machines/problem-list.tsx";
import { Status } from "../../components/status/status.tsx";
import { MACHINE_LOOKS } from "../../components/status/status-look.ts";
import { Ago } from "../../components/time/time.tsx";
import { describeReason } from "../../i18n/describe-error.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { AcceptKeyDialog } from "./accept-key-dialog.tsx";
import { EditMachineDialog } from "./edit-machine-dialog.tsx";
import { FactList } from "./fact-list.tsx";

interface MachinePanelProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** One machine beside the list: how it is reached, what was seen, what is in the way. */
export function MachinePanel({ name, onClose }: MachinePanelProps) {
  const machine = useApi(KEYS.machine(name), "machines", "getMachine", { params: { name } });
  return (
    <SidePanel title={name} onClose={onClose}>
      <Loaded query={machine}>{(one) => <Content machine={one} onForgotten={onClose} />}</Loaded>
    </SidePanel>
  );
}

function Content({ machine, onForgotten }: { readonly machine: Machine; readonly onForgotten: () => void }) {
  const m = useMessages();
  const { may } = useSession();
  const [open, setOpen] = useState<"edit" | "forget" | "key" | null>(null);
  const close = () => setOpen(null);
  const look = useChange("machines", "lookAgain", [KEYS.machines]);
  const { name, usedBy, hostKey, offeredHostKey, problems, facts } = machine;
  return (
    <>
      <div>
        <Status look={MACHINE_LOOKS[machine.state]} pill>
          {m.machines.states[machine.state]}
        </Status>
      </div>
      {machine.message === "" ? null : <p>{describeReason(m, machine)}</p>}
      {may("operator") ? (
        <div className={css.buttons}>
          <Button
            size="compact-sm"
            variant="default"
            loading={look.isPending}
            onClick={() => look.mutate({ params: { name } })}
          >
            {m.machines.lookAgain}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setOpen("edit")}>
            {m.machines.edit}
          </Button>
          {offeredHostKey === null ? null : (
            <Button size="compact-sm" color="red" onClick={() => setOpen("key")}>
              {m.machines.acceptKey}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => setOpen("forget")}>
            {m.machines.forget}
          </Button>
        </div>
      ) : null}
      {look.error === null ? null : <ErrorPanel error={look.error} />}
      {problems.length === 0 ? null : <ProblemList problems={problems} machine={machine} />}
      <Facts
        facts={[
          { name: m.machines.address, value: `${machine.user}@${machine.address}:${machine.port}` },
          machine.bastion === undefined ? null : { name: m.machines.bastion, value: writeBastion(machine.bastion) },
          { name: m.machines.credential, value: machine.credential.name },
          usedBy === null
            ? null
            : {
                name: m.machines.usedBy,
                value: (
                  <Link to="/clusters/$name/$tab" params={{ name: usedBy.cluster, tab: "nodes" }}>
                    {m.machines.usedAs(usedBy.cluster, usedBy.node)}
                  </Link>
                ),
              },
          { name: m.machines.labels, value: <LabelList labels={machine.labels} wrap /> },
          hostKey === null ? null : { name: m.machines.hostKey, value: <code>{hostKey.fingerprint}</code> },
          machine.lookedTime === null ? null : { name: m.machines.looked, value: <Ago time={machine.lookedTime} /> },
          machine.factsTime === null ? null : { name: m.machines.seen, value: <Ago time={machine.factsTime} /> },
        ]}
      />
      {facts === null ? null : <FactList facts={facts} />}
      {open === "edit" ? <EditMachineDialog machine={machine} onClose={close} /> : null}
      {open === "forget" ? <ForgetDialog name={name} onClose={close} onForgotten={onForgotten} /> : null}
      {open === "key" ? <AcceptKeyDialog machine={machine} onClose={close} /> : null}
    </>
  );
}

interface ForgetDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onForgotten: () => void;
}

function ForgetDialog({ name, onClose, onForgotten }: ForgetDialogProps) {
  const m = useMessages();
  const forget = useChange("machines", "forgetMachine", [KEYS.machinePages]);
  return (
    <ConfirmDialog
      title={m.machines.forgetTitle(name)}
      opened
      onClose={onClose}
      confirmLabel={m.machines.forget}
      danger
      reason="none"
      busy={forget.isPending}
      error={forget.error}
      onConfirm={() => forget.mutate({ params: { name } }, { onSuccess: onForgotten })}
    >
      <p>{m.machines.forgetText}</p>
    </ConfirmDialog>
  );
}
