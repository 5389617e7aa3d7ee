import { useCallback, useEffect, useReducer, useState } from "react";
import { askServer } from "./ask-server.ts";
import { type Answer, nextDelay, type ServerStatus, takeAnswer, UNKNOWN_STATUS } from "./server-status.ts";

/** Asks the server now and then for as long as the page is seen; `askAgain` asks at once. */
export function useServerStatus(): { status: ServerStatus; askAgain: () => void } {
  const [round, setRound] = useState(0);
  const [status, take] = useReducer(
    (known: ServerStatus, { answer, now }: { answer: Answer; now: number }) => takeAnswer(known, answer, now),
    UNKNOWN_STATUS,
  );
  const askAgain = useCallback(() => setRound((count) => count + 1), []);

  useEffect(() => {
    const ended = new AbortController();
    void askServer(ended.signal).then((answer) => {
      if (!ended.signal.aborted) take({ answer, now: Date.now() });
    });
    return () => ended.abort();
  }, [round]);

  useEffect(() => {
    if (status === UNKNOWN_STATUS) return;
    const timer = setTimeout(askAgain, nextDelay(status, Math.random()));
    return () => clearTimeout(timer);
  }, [status, askAgain]);

  useEffect(() => {
    const onVisible = () => document.visibilityState === "visible" && askAgain();
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [askAgain]);

  return { status, askAgain };
}
