import { Menu, type MenuItemProps } from "@mantine/core";
import { useCanWrite } from "../../api/live/use-live.tsx";
import { useMessages } from "../../i18n/use-language.tsx";

/** As ChangeButton, in a menu. */
export function ChangeItem({ onClick, ...item }: MenuItemProps & { readonly onClick: () => void }) {
  const m = useMessages();
  const canWrite = useCanWrite();
  return (
    <Menu.Item {...item} onClick={onClick} disabled={!canWrite} title={canWrite ? undefined : m.live.cannotWrite} />
  );
}
