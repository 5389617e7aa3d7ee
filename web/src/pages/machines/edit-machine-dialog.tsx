import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Machine } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { draftAccess, readAccess } from "../../components/machines/access-draft.ts";
import { AccessFields } from "../../components/machines/access-fields.tsx";
import css from "../../components/machines/machines.module.css";
import { useMessages } from "../../i18n/use-language.tsx";

interface EditMachineDialogProps {
  readonly machine: Machine;
  readonly onClose: () => void;
}

/** How a machine is reached, and its labels. Its pinned key stays: another machine at the new address is noticed. */
export function EditMachineDialog({ machine, onClose }: EditMachineDialogProps) {
  const m = useMessages();
  // What others change meanwhile is refused by its version, and not overwritten.
  const [before] = useState(machine);
  const [address, setAddress] = useState(before.address);
  const [access, setAccess] = useState(() => draftAccess(before));
  const change = useChange("machines", "changeMachine", [KEYS.machines]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { ...readAccess(access, before), address };
    change.mutate({ params: { name: before.name }, body, version: String(before.version) }, { onSuccess: onClose });
  };
  return (
    <Dialog title={m.machines.editTitle(before.name)} opened onClose={onClose} size="lg" pinned>
      <form onSubmit={submit} style={{ display: "contents" }}>
        <div className={css.pair}>
          <TextInput
            label={m.machines.address}
            description={m.machines.addressText}
            value={address}
            required
            data-autofocus
            spellCheck={false}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <AccessFields access={access} onChange={(part) => setAccess({ ...access, ...part })} />
        </div>
        {change.error === null ? null : <ErrorPanel error={change.error} />}
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {m.common.cancel}
          </Button>
          <ChangeButton type="submit" loading={change.isPending} disabled={address === "" || access.secret === ""}>
            {m.common.save}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
