import { vi } from "vitest";

/** Only catches hangs: no machine is that slow. Less than a test may take, so that what it waits for is named. */
const HANG_MS = 100_000;

/** Looks again and again until nothing is thrown, and answers what was found then. */
export function waitFor<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: HANG_MS, interval: 10 });
}

/** Looks again and again until it is so. */
export function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return waitFor(async () => {
    if (!(await isSo())) throw new Error("It did not come to that.");
  });
}
