import { useEffect, useState } from "react";
import { forget, recall, remember } from "../../lib/browser-memory.ts";

const PAUSE_MS = 400;

/** A text that outlives the page until it is applied or thrown away. Documents name secrets, they never hold them. */
export function useDraft(name: string, initial: string) {
  const key = `drover.draft.${name}`;
  const [text, setText] = useState(() => recall(key) ?? initial);
  const isChanged = text !== initial;
  useEffect(() => {
    const timer = setTimeout(() => (isChanged ? remember(key, text) : forget(key)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, text, isChanged]);
  return {
    text,
    setText,
    isChanged,
    discard: () => {
      forget(key);
      setText(initial);
    },
    forget: () => forget(key),
  };
}
