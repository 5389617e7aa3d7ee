import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { forget, recall, remember } from "../lib/browser-memory.ts";

const STORED = "drover.utc";

interface UtcContext {
  readonly isUtc: boolean;
  readonly setUtc: (isUtc: boolean) => void;
}

const Context = createContext<UtcContext>({ isUtc: false, setUtc: () => {} });

/** Whether times are shown in UTC instead of local time. */
export function UtcProvider({ children }: { readonly children: ReactNode }) {
  const [isUtc, set] = useState(() => recall(STORED) === "true");
  const value = useMemo(
    () => ({
      isUtc,
      setUtc: (next: boolean) => {
        if (next) remember(STORED, "true");
        else forget(STORED);
        set(next);
      },
    }),
    [isUtc],
  );
  return <Context value={value}>{children}</Context>;
}

export const useUtc = (): UtcContext => useContext(Context);
