import { useEffect, useState } from "react";
import type { Messages } from "../i18n/messages.ts";
import { useLanguage } from "../i18n/use-language.tsx";

const NOW_BELOW_S = 5;

export function describeAge(messages: Messages, ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  if (seconds < NOW_BELOW_S) return messages.seenNow;
  return seconds < 60 ? messages.seenSeconds(seconds) : messages.seenMinutes(Math.floor(seconds / 60));
}

/** How long ago something was seen, kept up to date. */
export function Age({ since }: { readonly since: number | undefined }) {
  const { messages } = useLanguage();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <>{since === undefined ? messages.seenNever : describeAge(messages, now - since)}</>;
}
