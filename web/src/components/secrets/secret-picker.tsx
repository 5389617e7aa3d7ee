import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { ErrorPanel } from "../feedback/error-panel.tsx";
import { NewSecret } from "./new-secret.tsx";
import css from "./secrets.module.css";

export interface SecretPickerProps {
  readonly label: string;
  readonly description: string;
  /** The name of the chosen secret; empty for none. */
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly error?: string | undefined;
}

/** One of the stored secrets, or a new one that is stored at once; what it holds is never in a document. */
export function SecretPicker({ label, description, value, onChange, error }: SecretPickerProps) {
  const m = useMessages();
  const [isMaking, setMaking] = useState(false);
  const secrets = useApi(KEYS.secrets, "secrets", "listSecrets", {});
  const known = secrets.data?.items.map(({ name }) => name) ?? [];
  // A document may name one that is not stored yet: that is shown, and not taken for another one.
  const names = value === "" || known.includes(value) ? known : [value, ...known];
  return (
    <div className={css.picker}>
      <div className={css.choice}>
        <NativeSelect
          label={label}
          description={description}
          value={value}
          error={error}
          aria-busy={secrets.isPending}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {value === "" ? (
            <option value="">{secrets.isPending ? m.common.loading : m.secretPicker.choose}</option>
          ) : null}
          {names.map((name) => (
            <option key={name} value={name}>
              {known.includes(name) || secrets.data === undefined ? name : m.secretPicker.missing(name)}
            </option>
          ))}
        </NativeSelect>
        {isMaking ? null : (
          <Button variant="default" onClick={() => setMaking(true)}>
            {m.secretPicker.create}
          </Button>
        )}
      </div>
      {secrets.error === null ? null : <ErrorPanel error={secrets.error} onRetry={() => void secrets.refetch()} />}
      {isMaking ? (
        <NewSecret
          suggested={known.includes(value) || value === "" ? freeName(known) : value}
          onClose={() => setMaking(false)}
          onStored={(name) => {
            setMaking(false);
            onChange(name);
          }}
        />
      ) : null}
    </div>
  );
}

function freeName(known: readonly string[]): string {
  if (!known.includes("machines")) return "machines";
  for (let number = 2; ; number += 1) if (!known.includes(`machines-${number}`)) return `machines-${number}`;
}
