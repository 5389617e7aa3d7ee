/** Small choices that a browser keeps for its user. One that keeps nothing forgets them, and that is all. */
export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Not kept beyond this page.
  }
}

/** Hears when another page of this browser remembers or forgets something under that key. */
export function watchMemory(key: string, changed: () => void): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === key) changed();
  };
  window.addEventListener("storage", hear);
  return () => window.removeEventListener("storage", hear);
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
