import { useState } from "react";
import type { Machine } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useChange } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { Facts } from "../../components/layout/page.tsx";
import { useMessages } from "../../i18n/use-language.tsx";

interface AcceptKeyDialogProps {
  readonly machine: Machine;
  readonly onClose: () => void;
}

/** Both fingerprints side by side, and what to compare the new one with. */
export function AcceptKeyDialog({ machine, onClose }: AcceptKeyDialogProps) {
  const m = useMessages();
  const accept = useChange("machines", "acceptHostKey", [KEYS.machines]);
  // The key that is accepted is the one that was compared, whatever the machine shows meanwhile.
  const [{ name, offeredHostKey, hostKey, bastionHostKey }] = useState(machine);
  if (offeredHostKey === null) return null;
  const { of, fingerprint } = offeredHostKey;
  const pinned = of === "machine" ? hostKey : bastionHostKey;
  return (
    <ConfirmDialog
      title={m.machines.acceptTitle(name)}
      opened
      onClose={onClose}
      confirmLabel={m.machines.acceptKey}
      typed={name}
      danger
      reason="none"
      busy={accept.isPending}
      error={accept.error}
      onConfirm={() => accept.mutate({ params: { name }, body: { of, fingerprint } }, { onSuccess: onClose })}
    >
      <p>{m.machines.acceptText}</p>
      <Facts
        facts={[
          { name: m.machines.pinnedKey, value: <code>{pinned?.fingerprint ?? "–"}</code> },
          { name: m.machines.offeredKey, value: <code>{fingerprint}</code> },
        ]}
      />
    </ConfirmDialog>
  );
}
