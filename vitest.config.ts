import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { sourceResolution } from "./scripts/lib/source-resolution.mjs";
import { listReporters } from "./scripts/lib/test-reporters.mjs";

export default defineConfig({
  ...sourceResolution,
  test: {
    reporters: listReporters(),
    include: ["{contract,drover,web,scripts}/**/*.test.{ts,tsx}"],
    setupFiles: ["drover/test/clean-up.ts"],
    globalSetup: ["drover/test/global-setup.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    // One more than there are cores: many tests wait for processes and connections of their own.
    maxWorkers: availableParallelism() + 1,
    // Loading the sources for each of some 370 files took half of the processor's time. Files of one worker share them;
    // what a test changes beyond its own objects (environment, globals, timers), it puts back.
    isolate: false,
    // These limits only catch what hangs: no test depends on how fast the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
