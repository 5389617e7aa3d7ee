import { forget, recall, remember } from "../lib/browser-memory.ts";

const STORED = "drover.theme";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The theme that was chosen; public/theme.js applies it before the first paint. */
export function readTheme(): Theme {
  const stored = recall(STORED);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

/** `system` leaves it to the style sheet, which follows the system. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    forget(STORED);
    delete document.documentElement.dataset.theme;
    return;
  }
  remember(STORED, theme);
  document.documentElement.dataset.theme = theme;
}
