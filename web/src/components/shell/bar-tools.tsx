import { ActionIcon, Menu } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { useSession } from "../../api/session.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { FreshnessChip } from "./freshness-chip.tsx";
import { PreferenceMenu } from "./preference-menu.tsx";

/** The right end of the bar: freshness, preferences, account. */
export function BarTools() {
  return (
    <>
      <FreshnessChip />
      <PreferenceMenu />
      <UserMenu />
    </>
  );
}

function UserMenu() {
  const m = useMessages();
  const { user, signOut } = useSession();
  if (user === null) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={m.shell.account(user.displayName)}>
          <IconUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{m.shell.signedIn(user.displayName, m.roles[user.role])}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {m.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
