import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { LANGUAGES } from "../i18n/languages.ts";
import { LanguageProvider, readLanguage } from "../i18n/use-language.tsx";
import "./base.css";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./tokens.css";
import { App } from "./app.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
const language = readLanguage();
const messages = await LANGUAGES[language].load();
createRoot(root).render(
  <StrictMode>
    <LanguageProvider initial={{ language, messages }}>
      <App />
    </LanguageProvider>
  </StrictMode>,
);
