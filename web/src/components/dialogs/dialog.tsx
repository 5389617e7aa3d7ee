import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./dialogs.module.css";

export interface DialogProps {
  readonly title: ReactNode;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly size?: string;
  /** Only its own buttons close it: neither Escape nor a click beside it. */
  readonly pinned?: boolean;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** A dialog. The page behind it has its own scrolling parts, so nothing has to be locked (which would take a style tag). */
export function Dialog({ title, opened, onClose, size = "md", pinned = false, children, actions }: DialogProps) {
  const m = useMessages();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      lockScroll={false}
      closeOnEscape={!pinned}
      closeOnClickOutside={!pinned}
      closeButtonProps={{ "aria-label": m.common.close }}
      transitionProps={{ duration: 120 }}
      classNames={{ title: css.title ?? "", body: css.body ?? "", header: css.header ?? "" }}
    >
      {children}
      {actions === undefined ? null : <div className={css.actions}>{actions}</div>}
    </Modal>
  );
}
