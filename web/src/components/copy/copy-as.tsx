import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCode, IconCopy, IconFileText, IconLink, IconTerminal2 } from "@tabler/icons-react";
import { useMessages } from "../../i18n/use-language.tsx";
import { quoteWords } from "../../lib/shell-words.ts";
import { copyText } from "./copy-text.ts";

export interface CopyAsProps {
  /** The words of the command that shows or does the same. */
  readonly cli: readonly string[];
  /** The address of the API that was read for this. */
  readonly api: string;
  /** The object itself as a document; it is made when it is asked for. */
  readonly yaml: () => string | Promise<string>;
  /** Which of several things on the page it is about. */
  readonly of?: string;
}

/** What is on the screen, for a terminal, a program, a file or somebody else. */
export function CopyAs({ cli, api, yaml, of }: CopyAsProps) {
  const m = useMessages();
  const title = of === undefined ? m.copy.title : m.copy.titleOf(of);
  const copy = async (text: string | Promise<string>) => {
    await copyText(await text);
    notifications.show({ message: m.copy.done });
  };
  const curl = () =>
    quoteWords(["curl", "-H", "Authorization: Bearer $DROVER_TOKEN", new URL(api, location.href).href]);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={of === undefined ? "input-sm" : "sm"} aria-label={title} title={title}>
          <IconCopy size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTerminal2 size={16} aria-hidden />} onClick={() => void copy(quoteWords(cli))}>
          {m.copy.cli}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCode size={16} aria-hidden />}
          onClick={() =>
            void copy(curl().replace("'Authorization: Bearer $DROVER_TOKEN'", '"Authorization: Bearer $DROVER_TOKEN"'))
          }
        >
          {m.copy.api}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileText size={16} aria-hidden />} onClick={() => void copy(yaml())}>
          {m.copy.yaml}
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => void copy(location.href)}>
          {m.copy.link}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
