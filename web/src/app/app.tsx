import { useState } from "react";
import { Choice } from "../components/choice.tsx";
import { Logo } from "../components/logo.tsx";
import { LANGUAGE_TAGS, LANGUAGES } from "../i18n/languages.ts";
import { useLanguage } from "../i18n/use-language.tsx";
import { Doctor } from "../pages/doctor/doctor.tsx";
import { Welcome } from "../pages/welcome/welcome.tsx";
import { applyTheme, readTheme, THEMES, type Theme } from "./theme.ts";

const THEME_WORDS = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;

export function App() {
  return (
    <div className="frame">
      <TopBar />
      {window.location.pathname === "/doctor" ? <Doctor /> : <Welcome />}
    </div>
  );
}

function TopBar() {
  const { language, messages, setLanguage } = useLanguage();
  const [theme, setTheme] = useState<Theme>(readTheme);
  const chooseTheme = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <div className="top-bar">
      <Logo />
      <div className="top-bar-choices">
        <Choice
          label={messages.language}
          value={language}
          options={LANGUAGE_TAGS.map((tag) => ({ value: tag, label: LANGUAGES[tag].name, lang: tag }))}
          onChange={setLanguage}
        />
        <Choice
          label={messages.theme}
          value={theme}
          options={THEMES.map((value) => ({ value, label: messages[THEME_WORDS[value]] }))}
          onChange={chooseTheme}
        />
      </div>
    </div>
  );
}
