import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "../../api/use-api.ts";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { ProblemList } from "../../components/machines/problem-list.tsx";
import { useMessages } from "../../i18n/use-language.tsx";

/** What is in the way of a cluster, of all its machines at once; without a cluster, of any. */
export function CheckDialog({ onClose }: { readonly onClose: () => void }) {
  const m = useMessages();
  const [cluster, setCluster] = useState("");
  const check = useChange("machines", "checkMachines", []);
  const troubled = check.data?.items.filter(({ problems }) => problems.length > 0) ?? [];
  return (
    <Dialog
      title={m.machines.check}
      opened
      onClose={onClose}
      size="xl"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {m.common.close}
          </Button>
          <Button loading={check.isPending} onClick={() => check.mutate({ body: cluster === "" ? {} : { cluster } })}>
            {m.machines.check}
          </Button>
        </>
      }
    >
      <TextInput
        label={m.machines.checkCluster}
        description={m.machines.checkText}
        value={cluster}
        onChange={(event) => setCluster(event.currentTarget.value)}
      />
      {check.error === null ? null : <ErrorPanel error={check.error} />}
      {check.data === undefined ? null : (
        <p role="status">{m.machines.checked(check.data.items.length, troubled.length)}</p>
      )}
      {troubled.map(({ machine, problems }) => (
        <section key={machine}>
          <h3>{machine}</h3>
          <ProblemList problems={problems} />
        </section>
      ))}
    </Dialog>
  );
}
