import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { recall, remember } from "../../lib/browser-memory.ts";
import { isTyping, type KeyPress, type Keys, matchKeys } from "../../lib/keys.ts";

export type Bindings = Readonly<Record<Keys, () => void>>;

interface KeyContext {
  readonly bind: (bindings: Bindings) => () => void;
  /** Single letters can be turned off, for those whose software types on its own (WCAG 2.1.4). */
  readonly lettersOn: boolean;
  readonly setLettersOn: (on: boolean) => void;
}

const STORED = "drover.keys";
const Context = createContext<KeyContext>({ bind: () => () => {}, lettersOn: true, setLettersOn: () => {} });

/** Hears the keys of the whole page. What was bound last comes first. */
export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const layers = useRef<Bindings[]>([]);
  const [lettersOn, setOn] = useState(() => recall(STORED) !== "off");
  useEffect(() => {
    let before: KeyPress | undefined;
    const hear = (event: KeyboardEvent) => {
      if (event.isComposing || event.altKey || event.key === "Shift") return;
      const press = { key: event.key, mod: event.ctrlKey || event.metaKey, at: event.timeStamp };
      if (!press.mod && (!lettersOn || isTyping(event.composedPath()[0] ?? null) || isInDialog(event.target))) return;
      for (const bindings of [...layers.current].reverse()) {
        const found = matchKeys(Object.keys(bindings), press, before);
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
  }, [lettersOn]);
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
    }),
    [lettersOn],
  );
  return <Context value={value}>{children}</Context>;
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
