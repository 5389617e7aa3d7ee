import { Button, FileButton, PasswordInput, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { KEYS } from "../../api/query-keys.ts";
import { useChange } from "../../api/use-api.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { ChangeButton } from "../change/change-button.tsx";
import { ErrorPanel } from "../feedback/error-panel.tsx";
import css from "./secrets.module.css";

interface NewSecretProps {
  readonly suggested: string;
  readonly onClose: () => void;
  readonly onStored: (name: string) => void;
}

const KINDS = ["key", "password"] as const;
type Kind = (typeof KINDS)[number];

/** A key or a password to log in with. It may stand inside another form, which Enter must not send. */
export function NewSecret({ suggested, onClose, onStored }: NewSecretProps) {
  const m = useMessages();
  const words = m.secretPicker;
  const [name, setName] = useState(suggested);
  const [kind, setKind] = useState<Kind>("key");
  const [value, setValue] = useState("");
  const [passphrase, setPassphrase] = useState("");
  const store = useChange("secrets", "createSecret", [KEYS.secrets]);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const canStore = name !== "" && value.trim() !== "";
  const submit = () => {
    if (!canStore) return;
    const entries: Record<string, string> =
      kind === "password"
        ? { password: value }
        : { privateKey: withLastLine(value), ...(passphrase && { passphrase }) };
    store.mutate({ body: { name, entries } }, { onSuccess: () => onStored(name) });
  };
  const hear = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || event.target.type === "radio") return;
    event.preventDefault();
    submit();
  };
  return (
    <div className={css.fresh} role="group" aria-label={words.title} onKeyDown={hear}>
      <TextInput
        label={words.name}
        value={name}
        ref={first}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label={words.kind}
        value={kind}
        onChange={(next) => {
          setKind(next as Kind);
          setValue("");
        }}
        data={KINDS.map((one) => ({ value: one, label: words.kinds[one] }))}
      />
      {kind === "key" ? (
        <>
          <Textarea
            label={words.key}
            description={words.keyText}
            className={css.mono ?? ""}
            rows={4}
            value={value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <FileButton onChange={(file) => void file?.text().then(setValue)} accept="*/*">
            {(props) => (
              <Button size="compact-sm" variant="default" {...props}>
                {words.fromFile}
              </Button>
            )}
          </FileButton>
          <PasswordInput
            label={words.passphrase}
            value={passphrase}
            autoComplete="off"
            onChange={(event) => setPassphrase(event.currentTarget.value)}
          />
        </>
      ) : (
        <PasswordInput
          label={words.password}
          value={value}
          autoComplete="off"
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
      <p className={css.soft}>{words.text}</p>
      {store.error === null ? null : <ErrorPanel error={store.error} />}
      <div className={css.actions}>
        <Button variant="default" onClick={onClose}>
          {m.common.cancel}
        </Button>
        <ChangeButton loading={store.isPending} disabled={!canStore} onClick={submit}>
          {words.store}
        </ChangeButton>
      </div>
    </div>
  );
}

/** Copied keys often lose the end of their last line, and are refused then. */
const withLastLine = (key: string): string => `${key.trim()}\n`;
