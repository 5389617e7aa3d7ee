import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { keepTheme, readTheme, schemeOf, type Theme, watchTheme } from "../../lib/theme.ts";

interface ThemeContext {
  readonly theme: Theme;
  readonly scheme: "light" | "dark";
  readonly setTheme: (theme: Theme) => void;
}

const Context = createContext<ThemeContext>({ theme: "system", scheme: "light", setTheme: () => {} });
const DARK = "(prefers-color-scheme: dark)";

function watchSystem(changed: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}

export function ThemeProvider({ children }: { readonly children: ReactNode }) {
  const [theme, set] = useState(readTheme);
  const systemIsDark = useSyncExternalStore(watchSystem, () => matchMedia(DARK).matches);
  const scheme = schemeOf(theme, systemIsDark);
  useEffect(() => {
    const stop = watchTheme(() => set(readTheme()));
    // Another page may have chosen one after the first render and before this effect.
    set(readTheme());
    return stop;
  }, []);
  useEffect(() => {
    document.documentElement.toggleAttribute("data-contrast", theme === "contrast");
  }, [theme]);
  const value = useMemo(
    () => ({
      ...{ theme, scheme },
      setTheme: (next: Theme) => {
        keepTheme(next);
        set(next);
      },
    }),
    [theme, scheme],
  );
  return <Context value={value}>{children}</Context>;
}

export const useTheme = (): ThemeContext => useContext(Context);
