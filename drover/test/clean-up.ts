import { afterAll, vi } from "vitest";
import { removeTempFolders } from "./temp-folder.ts";

// Vitest loads this before every test file. The next file of the same worker finds everything as this one did; what is
// left after a run fails it (scripts/lib/run-vitest.mjs).
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  removeTempFolders();
});
