import { Button, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import type { ApiError } from "../../api/api-error.ts";
import { useCanWrite } from "../../api/live/use-live.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { ErrorPanel } from "../feedback/error-panel.tsx";
import { Dialog } from "./dialog.tsx";

export interface ConfirmDialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
  readonly confirmLabel: string;
  /** What the button says that leaves everything as it is; "Cancel" when left out. */
  readonly dismissLabel?: string;
  /** What has to be typed before it can be confirmed: the name of what will be gone. */
  readonly typed?: string;
  readonly danger?: boolean;
  readonly reason?: "none" | "optional" | "required";
  readonly busy?: boolean;
  readonly error?: ApiError | null;
  readonly children?: ReactNode;
}

/** Asks before something is done that cannot be taken back, and says what it is. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, opened, onClose } = props;
  return (
    <Dialog title={title} opened={opened} onClose={onClose} size="lg">
      {opened ? <ConfirmForm {...props} /> : null}
    </Dialog>
  );
}

function ConfirmForm(props: ConfirmDialogProps) {
  const { typed, danger = false, reason = "optional", busy = false, error, children } = props;
  const m = useMessages();
  const canWrite = useCanWrite();
  const [answer, setAnswer] = useState("");
  const [why, setWhy] = useState("");
  const isReady = (typed === undefined || answer === typed) && (reason !== "required" || why.trim() !== "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && canWrite) props.onConfirm(why.trim());
  };
  return (
    <form onSubmit={submit} style={{ display: "contents" }}>
      {children}
      {reason === "none" ? null : (
        <Textarea
          label={reason === "required" ? m.common.reason : m.common.reasonOptional}
          value={why}
          maxLength={1024}
          rows={2}
          required={reason === "required"}
          onChange={(event) => setWhy(event.currentTarget.value)}
        />
      )}
      {typed === undefined ? null : (
        <TextInput
          label={m.common.typeToConfirm(typed)}
          value={answer}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
      )}
      {error == null ? null : <ErrorPanel error={error} />}
      {canWrite ? null : <p>{m.live.cannotWrite}</p>}
      <div style={{ display: "flex", justifyContent: "flex-end", gap: 8 }}>
        <Button variant="default" onClick={props.onClose}>
          {props.dismissLabel ?? m.common.cancel}
        </Button>
        <Button type="submit" color={danger ? "red" : "blue"} loading={busy} disabled={!isReady || !canWrite}>
          {props.confirmLabel}
        </Button>
      </div>
    </form>
  );
}
