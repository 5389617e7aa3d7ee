import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { LanguageProvider } from "../i18n/use-language.tsx";
import { App } from "./app.tsx";
import "./style.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <LanguageProvider>
      <App />
    </LanguageProvider>
  </StrictMode>,
);
