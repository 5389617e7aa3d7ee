import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import { useCanWrite } from "../../api/live/use-live.tsx";
import { useMessages } from "../../i18n/use-language.tsx";

export type ChangeButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps>;

/** A button that changes something, or begins to: while nothing can be changed it says so, and why. */
export function ChangeButton({ disabled = false, title, ...button }: ChangeButtonProps) {
  const m = useMessages();
  const canWrite = useCanWrite();
  return <Button {...button} disabled={disabled || !canWrite} title={canWrite ? title : m.live.cannotWrite} />;
}
