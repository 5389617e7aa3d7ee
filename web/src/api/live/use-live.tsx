import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { CacheRefresher } from "./apply-events.ts";
import type { FromStream, LiveState } from "./messages.ts";
import { openStreamLink, type StreamLink } from "./stream-link.ts";

export interface Live {
  readonly state: LiveState | "offline";
  /** When the server last gave a sign of life. */
  readonly heardAt: number | null;
  readonly failures: number;
  readonly tryNow: () => void;
}

const NOT_YET: Live = { state: "connecting", heardAt: null, failures: 0, tryNow: () => {} };
const Context = createContext<Live>(NOT_YET);

/** Keeps everything that the page shows up to date, by the one stream of the browser. */
export function LiveProvider({
  onSignedOut,
  children,
}: {
  readonly onSignedOut: () => void;
  readonly children: ReactNode;
}) {
  const client = useQueryClient();
  const [link, setLink] = useState<StreamLink>();
  const [live, setLive] = useState<Pick<Live, "heardAt" | "failures"> & { readonly state: LiveState }>(
    NOT_YET as never,
  );
  useEffect(() => {
    const refresher = new CacheRefresher(client);
    let wasAway = false;
    const hear = (message: FromStream) => {
      if (message.type === "events") return refresher.apply(message.events);
      if (message.type === "reset") return refresher.reset();
      // Between the last page that was read and the stream there may be a gap: once it is (back) there, look again.
      if (message.state === "live" && wasAway) void client.invalidateQueries();
      wasAway = message.state !== "live";
      if (message.state === "signed-out") onSignedOut();
      setLive(message);
    };
    const opened = openStreamLink(hear);
    setLink(opened);
    return () => opened.close();
  }, [client, onSignedOut]);
  const isOnline = useSyncExternalStore(watchNetwork, () => navigator.onLine);
  useEffect(() => {
    if (isOnline) link?.connect();
  }, [isOnline, link]);
  const value = useMemo<Live>(
    () => ({ ...live, state: isOnline ? live.state : "offline", tryNow: () => link?.connect() }),
    [live, isOnline, link],
  );
  return <Context value={value}>{children}</Context>;
}

export const useLive = (): Live => useContext(Context);

/** Whether changes can be sent at all. They are never kept for later. */
export function useCanWrite(): boolean {
  const { state, failures } = useLive();
  return state !== "offline" && !(state === "waiting" && failures > 1);
}

function watchNetwork(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}
