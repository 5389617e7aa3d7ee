import { recall, remember } from "./browser-memory.ts";

/** Where somebody went by the palette, newest first. */
export interface Recent {
  readonly to: string;
  readonly label: string;
}

const STORED = "drover.recents";
const KEPT = 5;

export function readRecents(): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(recall(STORED) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

const isRecent = (one: unknown): one is Recent => {
  const { to, label } = (one ?? {}) as Partial<Recent>;
  return typeof to === "string" && /^\/\w/.test(to) && typeof label === "string";
};

export function noteRecent(recent: Recent): void {
  const others = readRecents().filter(({ to }) => to !== recent.to);
  remember(STORED, JSON.stringify([recent, ...others].slice(0, KEPT)));
}
