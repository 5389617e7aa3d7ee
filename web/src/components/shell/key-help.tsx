import { Switch } from "@mantine/core";
import { useMessages } from "../../i18n/use-language.tsx";
import { Dialog } from "../dialogs/dialog.tsx";
import type { NavItem } from "./nav-item.ts";
import css from "./shell.module.css";
import { useKeySettings } from "./use-keys.tsx";

interface KeyHelpProps {
  readonly nav: readonly NavItem[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Every key there is, and the switch that turns single letters off. */
export function KeyHelp({ nav, opened, onClose }: KeyHelpProps) {
  const m = useMessages();
  const { lettersOn, setLettersOn } = useKeySettings();
  const rows: readonly (readonly [string, string])[] = [
    [m.shell.paletteKey, m.palette.open],
    ["?", m.keys.help],
    ...nav.flatMap(({ keys, label }) => (keys === undefined ? [] : [[keys, m.keys.go(label(m))] as const])),
    ["c", m.keys.create],
    ["/", m.keys.filter],
    ["j  k", m.keys.move],
    ["x", m.keys.select],
    ["Enter", m.keys.open],
    ["d", m.keys.diff],
    ["l", m.keys.log],
    ["e", m.keys.edit],
    ["[  ]", m.keys.failures],
  ];
  return (
    <Dialog title={m.keys.title} opened={opened} onClose={onClose}>
      <Switch
        checked={lettersOn}
        onChange={(event) => setLettersOn(event.currentTarget.checked)}
        label={m.keys.lettersOn}
      />
      <dl className={css.keyList}>
        {rows.map(([keys, text]) => (
          <div key={keys} style={{ display: "contents" }}>
            <dt>
              {keys.split(" ").map((key) =>
                key === "" ? (
                  " "
                ) : (
                  <kbd key={key} className={css.kbd}>
                    {key}
                  </kbd>
                ),
              )}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
