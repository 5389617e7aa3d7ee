import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { recall, remember } from "../../lib/browser-memory.ts";
import { type KeyMap, meaningOf, readKeyMap } from "../../lib/key-map.ts";
import { isTyping, type KeyPress, type Keys, matchKeys } from "../../lib/keys.ts";

export type Bindings = Readonly<Record<Keys, () => void>>;

interface KeyContext {
  readonly bind: (bindings: Bindings) => () => void;
  /** Single letters can be turned off, for those whose software types on its own (WCAG 2.1.4). */
  readonly lettersOn: boolean;
  readonly setLettersOn: (on: boolean) => void;
  /** Where somebody has put single keys (ditto). */
  readonly keyMap: KeyMap;
  readonly setKeyMap: (map: KeyMap) => void;
}

const STORED = "drover.keys";
const STORED_MAP = "drover.key-map";
const Context = createContext<KeyContext>({
  ...{ bind: () => () => {}, lettersOn: true, setLettersOn: () => {}, keyMap: {}, setKeyMap: () => {} },
});

/** Hears the keys of the whole page. What was bound last comes first. */
export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const layers = useRef<Bindings[]>([]);
  const [lettersOn, setOn] = useState(() => recall(STORED) !== "off");
  const [keyMap, setMap] = useState(() => readKeyMap(recall(STORED_MAP)));
  useEffect(() => {
    let before: KeyPress | undefined;
    const hear = (event: KeyboardEvent) => {
      if (event.isComposing || event.altKey || event.key === "Shift") return;
      const press = { key: event.key, mod: event.ctrlKey || event.metaKey, at: event.timeStamp };
      if (!press.mod && (!lettersOn || isTyping(event.composedPath()[0] ?? null) || isInDialog(event.target))) return;
      for (const bindings of [...layers.current].reverse()) {
        const found = findKeys(Object.keys(bindings), press, before, keyMap);
        if (found === undefined) continue;
        event.preventDefault();
        before = undefined;
        bindings[found]?.();
        return;
      }
      before = press;
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, [lettersOn, keyMap]);
  const value = useMemo<KeyContext>(
    () => ({
      bind: (bindings) => {
        layers.current.push(bindings);
        return () => {
          layers.current = layers.current.filter((layer) => layer !== bindings);
        };
      },
      lettersOn,
      setLettersOn: (on) => {
        remember(STORED, on ? "on" : "off");
        setOn(on);
      },
      keyMap,
      setKeyMap: (map) => {
        remember(STORED_MAP, JSON.stringify(map));
        setMap(map);
      },
    }),
    [lettersOn, keyMap],
  );
  return <Context value={value}>{children}</Context>;
}

/** Two keys in a row and those with Ctrl are where they are; a single one means what its reader made of it. */
function findKeys(bound: readonly Keys[], press: KeyPress, before: KeyPress | undefined, map: KeyMap) {
  const fixed = matchKeys(
    bound.filter((keys) => keys.length > 1),
    press,
    before,
  );
  const key = press.mod ? undefined : meaningOf(map, press.key);
  return fixed ?? (key === undefined ? undefined : matchKeys(bound, { ...press, key }, undefined));
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;

export const useKeySettings = (): Omit<KeyContext, "bind"> => useContext(Context);

/** Binds keys for as long as the component is there. */
export function useKeys(bindings: Bindings): void {
  const { bind } = useContext(Context);
  const latest = useRef(bindings);
  latest.current = bindings;
  const names = Object.keys(bindings).join("\n");
  useEffect(() => {
    const stable = Object.fromEntries(names.split("\n").map((name) => [name, () => latest.current[name]?.()]));
    return bind(stable);
  }, [bind, names]);
}
