import { Button, Switch } from "@mantine/core";
import { useState } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import { keyFor, MOVABLE_KEYS, type MovableKey, moveKey } from "../../lib/key-map.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import type { NavItem } from "./nav-item.ts";
import css from "./shell.module.css";
import { useKeySettings } from "./use-keys.tsx";

interface KeyHelpProps {
  readonly nav: readonly NavItem[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Every key there is, where each is pressed, and the switch that turns single letters off. */
export function KeyHelp({ nav, opened, onClose }: KeyHelpProps) {
  const m = useMessages();
  const { lettersOn, setLettersOn, keyMap, setKeyMap } = useKeySettings();
  const fixed: readonly (readonly [string, string])[] = [
    [m.shell.paletteKey, m.palette.open],
    ...nav.flatMap(({ keys, label }) => (keys === undefined ? [] : [[keys, m.keys.go(label(m))] as const])),
    ["Enter", m.keys.open],
  ];
  return (
    <Dialog title={m.keys.title} opened={opened} onClose={onClose}>
      <Switch
        checked={lettersOn}
        onChange={(event) => setLettersOn(event.currentTarget.checked)}
        label={m.keys.lettersOn}
      />
      <dl className={css.keyList}>
        {fixed.map(([keys, text]) => (
          <div key={keys} style={{ display: "contents" }}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key} className={css.kbd}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        {MOVABLE_KEYS.map((key) => (
          <div key={key} style={{ display: "contents" }}>
            <dt>
              <KeyField name={key} />
            </dt>
            <dd>{m.keys.movable[key]}</dd>
          </div>
        ))}
      </dl>
      <p>{m.keys.moveText}</p>
      {Object.keys(keyMap).length === 0 ? null : (
        <Button variant="default" onClick={() => setKeyMap({})}>
          {m.keys.reset}
        </Button>
      )}
    </Dialog>
  );
}

/** Pressing another key here puts the command there. */
function KeyField({ name }: { readonly name: MovableKey }) {
  const m = useMessages();
  const { keyMap, setKeyMap } = useKeySettings();
  const [isRefused, setRefused] = useState(false);
  const take = (chosen: string) => {
    const next = moveKey(keyMap, name, chosen);
    setRefused(next === undefined);
    if (next !== undefined) setKeyMap(next);
  };
  return (
    <input
      className={`${css.kbd} ${css.keyField}`}
      aria-label={m.keys.keyFor(m.keys.movable[name])}
      aria-invalid={isRefused}
      value={keyFor(keyMap, name)}
      onChange={(event) => take(event.currentTarget.value.slice(-1))}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}
