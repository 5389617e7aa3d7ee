import { ActionIcon, Menu } from "@mantine/core";
import { IconAdjustmentsHorizontal, IconCheck } from "@tabler/icons-react";
import { useSession } from "../../api/session.tsx";
import { LANGUAGE_TAGS, LANGUAGES } from "../../i18n/languages.ts";
import { useLanguage } from "../../i18n/use-language.tsx";
import { useUtc } from "../../i18n/use-utc.tsx";
import { THEMES } from "../../lib/theme.ts";
import { useTheme } from "./use-theme.tsx";

/** Language, theme and time zone, wherever one is. They are kept with the user, too. */
export function PreferenceMenu() {
  const { messages: m, language, setLanguage } = useLanguage();
  const { theme, setTheme } = useTheme();
  const { isUtc, setUtc } = useUtc();
  const { prefer } = useSession();
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={m.preferences.title}
          title={m.preferences.title}
        >
          <IconAdjustmentsHorizontal size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{m.preferences.language}</Menu.Label>
        {LANGUAGE_TAGS.map((tag) => (
          <Choice
            key={tag}
            label={LANGUAGES[tag].name}
            lang={tag}
            checked={tag === language}
            onChoose={() => {
              setLanguage(tag);
              prefer({ language: tag });
            }}
          />
        ))}
        <Menu.Label>{m.preferences.theme}</Menu.Label>
        {THEMES.map((one) => (
          <Choice
            key={one}
            label={m.preferences.themes[one]}
            checked={one === theme}
            onChoose={() => {
              setTheme(one);
              prefer({ theme: one });
            }}
          />
        ))}
        <Menu.Label>{m.preferences.time}</Menu.Label>
        {[false, true].map((utc) => (
          <Choice
            key={String(utc)}
            label={utc ? m.preferences.utc : m.preferences.localTime}
            checked={utc === isUtc}
            onChoose={() => {
              setUtc(utc);
              prefer({ utc });
            }}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly lang?: string;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

function Choice({ label, lang, checked, onChoose }: ChoiceProps) {
  return (
    <Menu.RadioItem
      value={label}
      checked={checked}
      checkIcon={<IconCheck size={15} aria-hidden />}
      lang={lang}
      onChange={onChoose}
    >
      {label}
    </Menu.RadioItem>
  );
}
