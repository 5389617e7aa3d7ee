import { forget, recall, remember, watchMemory } from "./browser-memory.ts";

const STORED = "drover.theme";

export const THEMES = ["system", "light", "dark", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

/** The theme that was chosen; public/early.js applies it before the first paint. */
export function readTheme(): Theme {
  const stored = recall(STORED);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

export function keepTheme(theme: Theme): void {
  if (theme === "system") forget(STORED);
  else remember(STORED, theme);
}

/** Hears when another page of this browser chooses a theme. */
export const watchTheme = (changed: () => void): (() => void) => watchMemory(STORED, changed);

/** High contrast follows the system between light and dark. */
export function schemeOf(theme: Theme, systemIsDark: boolean): "light" | "dark" {
  if (theme === "light" || theme === "dark") return theme;
  return systemIsDark ? "dark" : "light";
}
