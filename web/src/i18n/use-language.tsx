import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { recall, remember, watchMemory } from "../lib/browser-memory.ts";
import { chooseLanguage, isLanguage, LANGUAGES, type Language } from "./languages.ts";
import type { Messages } from "./messages.ts";

const STORED = "drover.language";

interface LanguageContext {
  readonly language: Language;
  readonly messages: Messages;
  readonly setLanguage: (language: Language) => void;
}

const Context = createContext<LanguageContext | undefined>(undefined);

/** The language that was chosen here before, else the first the browser asks for. */
export function readLanguage(): Language {
  const stored = recall(STORED);
  return isLanguage(stored) ? stored : chooseLanguage(navigator.languages);
}

/** Gives the page its texts. The other language is loaded when it is chosen; until it is there, the page stays as it is. */
export function LanguageProvider({
  initial,
  children,
}: {
  readonly initial: { readonly language: Language; readonly messages: Messages };
  readonly children: ReactNode;
}) {
  const [current, setCurrent] = useState(initial);
  useEffect(() => {
    document.documentElement.lang = current.language;
  }, [current.language]);
  const wanted = useRef(initial.language);
  const speak = useCallback((language: Language) => {
    wanted.current = language;
    const load = LANGUAGES[language].load();
    // The texts of an earlier choice may arrive after those of a later one. Without a connection the texts may be out of
    // reach; the page stays in the language that it has.
    void load
      .then((messages) => {
        if (wanted.current === language) setCurrent({ language, messages });
      })
      .catch(() => undefined);
  }, []);
  useEffect(() => {
    const stop = watchMemory(STORED, () => speak(readLanguage()));
    // Another page may have chosen one while the first texts were loading.
    if (readLanguage() !== wanted.current) speak(readLanguage());
    return stop;
  }, [speak]);
  const value = useMemo(
    () => ({
      ...current,
      setLanguage: (language: Language) => {
        remember(STORED, language);
        speak(language);
      },
    }),
    [current, speak],
  );
  return <Context value={value}>{children}</Context>;
}

export function useLanguage(): LanguageContext {
  const found = useContext(Context);
  if (found === undefined) throw new Error("useLanguage needs a LanguageProvider above it");
  return found;
}

export const useMessages = (): Messages => useLanguage().messages;
