import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useMessages } from "../../i18n/use-language.tsx";
import { SecretPicker } from "../secrets/secret-picker.tsx";
import { type AccessDraft, SUDO_MODES, type SudoMode } from "./access-draft.ts";

interface AccessFieldsProps {
  readonly access: AccessDraft;
  readonly onChange: (change: Partial<AccessDraft>) => void;
}

/** User, key, root and way of machines, and their labels. */
export function AccessFields({ access, onChange }: AccessFieldsProps) {
  const m = useMessages();
  const { user, port, secret, sudo, sudoSecret, bastion, labels } = access;
  return (
    <>
      <TextInput
        label={m.machines.user}
        value={user}
        required
        onChange={(event) => onChange({ user: event.currentTarget.value })}
      />
      <NumberInput
        label={m.machines.port}
        value={port}
        min={1}
        max={65_535}
        onChange={(value) => onChange({ port: Number(value) || 22 })}
      />
      <SecretPicker
        label={m.machines.credential}
        description={m.machines.credentialText}
        value={secret}
        onChange={(name) => onChange({ secret: name })}
      />
      {user === "root" ? null : (
        <NativeSelect
          label={m.machines.sudo}
          description={m.machines.sudoText}
          value={sudo}
          data={SUDO_MODES.map((value) => ({ value, label: m.machines.sudoModes[value] }))}
          onChange={(event) => onChange({ sudo: event.currentTarget.value as SudoMode })}
        />
      )}
      {sudo === "password" && user !== "root" ? (
        <SecretPicker
          label={m.machines.sudoSecret}
          description={m.machines.sudoSecretText}
          value={sudoSecret || secret}
          onChange={(name) => onChange({ sudoSecret: name })}
        />
      ) : null}
      <TextInput
        label={m.machines.bastion}
        description={m.machines.bastionText}
        value={bastion}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ bastion: event.currentTarget.value })}
      />
      <TextInput
        label={m.machines.labels}
        description={m.machines.labelsText}
        value={labels}
        onChange={(event) => onChange({ labels: event.currentTarget.value })}
      />
    </>
  );
}
