const SOON_MS = 1_000;
const LATE_MS = 30_000;

/** How long to wait before the next try: ever longer, up to half a minute, never all at once; `random` from 0 to 1. */
export function backoffMs(failures: number, random: number = Math.random()): number {
  const most = Math.min(SOON_MS * 2 ** Math.max(0, failures - 1), LATE_MS);
  return most * (0.5 + random / 2);
}
