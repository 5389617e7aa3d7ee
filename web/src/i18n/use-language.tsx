import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { recall, remember } from "../lib/browser-memory.ts";
import { chooseLanguage, isLanguage, LANGUAGES, type Language } from "./languages.ts";
import type { Messages } from "./messages.ts";

const STORED = "drover.language";

interface LanguageContext {
  readonly language: Language;
  readonly messages: Messages;
  readonly setLanguage: (language: Language) => void;
}

const Context = createContext<LanguageContext>({
  language: "en",
  messages: LANGUAGES.en.messages,
  setLanguage: () => {},
});

/** Gives the page its language: the one that was chosen here before, else the first the browser asks for. */
export function LanguageProvider({ initial, children }: { initial?: Language; children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(
    () => initial ?? readStored() ?? chooseLanguage(navigator.languages),
  );
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const value = useMemo(
    () => ({
      language,
      messages: LANGUAGES[language].messages,
      setLanguage: (next: Language) => {
        remember(STORED, next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <Context value={value}>{children}</Context>;
}

export const useLanguage = (): LanguageContext => useContext(Context);

function readStored(): Language | undefined {
  const stored = recall(STORED);
  return isLanguage(stored) ? stored : undefined;
}
