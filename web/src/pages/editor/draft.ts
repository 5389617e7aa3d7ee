import { useEffect, useState } from "react";
import { forget, recall, remember } from "../../lib/browser-memory.ts";

const PAUSE_MS = 400;

/** A text that was begun and not applied, with what it was made from. */
export interface Draft<T> {
  readonly text: string;
  readonly basis: T;
}

const keyOf = (name: string) => `drover.draft.${name}`;

export function recallDraft<T>(name: string): Draft<T> | undefined {
  try {
    const kept: unknown = JSON.parse(recall(keyOf(name)) ?? "null");
    const isDraft = typeof kept === "object" && kept !== null && typeof (kept as Draft<T>).text === "string";
    return isDraft ? (kept as Draft<T>) : undefined;
  } catch {
    return undefined;
  }
}

/** A text that outlives the page until it is applied or thrown away. Documents name secrets, they never hold them. */
export function useDraft<T>(name: string, initial: string, basis: T) {
  const key = keyOf(name);
  const [text, setText] = useState(() => recallDraft<T>(name)?.text ?? initial);
  const isChanged = text !== initial;
  useEffect(() => {
    const keep = () => remember(key, JSON.stringify({ text, basis }));
    const timer = setTimeout(() => (isChanged ? keep() : forget(key)), PAUSE_MS);
    // Another tab with the same document may have put its own in this place, or taken it away.
    if (isChanged) window.addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", keep);
    };
  }, [key, text, basis, isChanged]);
  return { text, setText, isChanged, forget: () => forget(key) };
}
