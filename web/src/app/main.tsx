import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { askEarly } from "../api/session.tsx";
import { LANGUAGES } from "../i18n/languages.ts";
import { LanguageProvider, readLanguage } from "../i18n/use-language.tsx";
import "./base.css";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./tokens.css";
import { App } from "./app.tsx";
import { router } from "./router.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
// Who is signed in, the texts and the code of the page are fetched side by side.
askEarly();
router.preloadRoute({ to: location.pathname }).catch(() => undefined);
const language = readLanguage();
// Not awaited by the module itself: the texts import from the file that this module is in, and would wait for it.
void LANGUAGES[language].load().then((messages) =>
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider initial={{ language, messages }}>
        <App />
      </LanguageProvider>
    </StrictMode>,
  ),
);
