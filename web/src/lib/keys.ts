/** A key or two keys in a row: "j", "?", "g c", "mod k". `mod` is Ctrl, or Command on a Mac. */
export type Keys = string;

const CHAIN_MS = 1_000;

export interface KeyPress {
  readonly key: string;
  readonly mod: boolean;
  readonly at: number;
}

/** Which of the bound keys a press completes, with what was pressed just before. */
export function matchKeys(bound: Iterable<Keys>, press: KeyPress, before: KeyPress | undefined): Keys | undefined {
  const single = press.mod ? `mod ${press.key.toLowerCase()}` : press.key;
  const known = new Set(bound);
  if (before !== undefined && !press.mod && !before.mod && press.at - before.at < CHAIN_MS) {
    const chain = `${before.key} ${press.key}`;
    if (known.has(chain)) return chain;
  }
  return known.has(single) ? single : undefined;
}

/** Whether somebody is typing: then single keys are letters, not commands. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.shadowRoot !== null;
}
