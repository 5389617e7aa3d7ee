import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useCanWrite } from "../../api/live/use-live.tsx";
import { KEYS } from "../../api/query-keys.ts";
import { useApi, useChange } from "../../api/use-api.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { Dialog } from "../dialogs/dialog.tsx";
import { ErrorPanel } from "../feedback/error-panel.tsx";
import { EMPTY_ACCESS, readAccess } from "./access-draft.ts";
import { AccessFields } from "./access-fields.tsx";
import css from "./machines.module.css";
import { type Entries, readEntries } from "./read-entries.ts";

/** One machine, a range or a list of them, all reached the same way. Everything that is wrong is said at once. */
export function EnrollDialog({ onClose }: { readonly onClose: () => void }) {
  const m = useMessages();
  return (
    <Dialog title={m.machines.enroll} opened onClose={onClose} size="lg" pinned>
      <EnrollForm onClose={onClose} />
    </Dialog>
  );
}

const FOR_LOGGING_IN = ["privateKey", "password"];

function EnrollForm({ onClose }: { readonly onClose: () => void }) {
  const m = useMessages();
  const canWrite = useCanWrite();
  const secrets = useApi(KEYS.secrets, "secrets", "listSecrets", {});
  const enroll = useChange("machines", "enrollMachines", [KEYS.machines]);
  const [names, setNames] = useState("");
  const [addresses, setAddresses] = useState("");
  const [draft, setDraft] = useState(EMPTY_ACCESS);
  const usual = secrets.data?.items.find(({ keys }) => FOR_LOGGING_IN.some((key) => keys.includes(key)))?.name ?? "";
  const access = { ...draft, secret: draft.secret || usual };
  const read = readEntries(names, addresses);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!read.ok) return;
    const body = { machines: read.entries.map((entry) => ({ ...readAccess(access), ...entry })) };
    enroll.mutate({ body }, { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit} style={{ display: "contents" }}>
      <div className={css.pair}>
        <Textarea
          label={m.machines.names}
          description={m.machines.namesText}
          value={names}
          rows={3}
          required
          data-autofocus
          onChange={(event) => setNames(event.currentTarget.value)}
        />
        <Textarea
          label={m.machines.addresses}
          description={m.machines.addressesText}
          value={addresses}
          rows={3}
          required
          onChange={(event) => setAddresses(event.currentTarget.value)}
        />
        <AccessFields access={access} onChange={(change) => setDraft({ ...draft, ...change })} />
      </div>
      <Summary read={read} />
      {enroll.error === null ? null : <ErrorPanel error={enroll.error} />}
      {canWrite ? null : <p>{m.live.cannotWrite}</p>}
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          {m.common.cancel}
        </Button>
        <Button
          type="submit"
          loading={enroll.isPending}
          disabled={!canWrite || !read.ok || read.entries.length === 0 || access.secret === ""}
        >
          {m.machines.enroll}
        </Button>
      </div>
    </form>
  );
}

function Summary({ read }: { readonly read: Entries }) {
  const m = useMessages();
  if (read.ok) return <p role="status">{m.machines.willEnroll(read.entries.length)}</p>;
  return (
    <p role="status">
      {read.problem === "counts" ? m.machines.countsDiffer(read.names, read.addresses) : m.machines.badRange(read.word)}
    </p>
  );
}
