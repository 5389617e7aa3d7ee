import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { sourceResolution } from "./scripts/lib/source-resolution.mjs";

export default defineConfig({
  ...sourceResolution,
  test: {
    include: ["{contract,drover,web,scripts}/**/*.test.{ts,tsx}"],
    globalSetup: ["drover/test/global-setup.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    // One more than there are cores: many tests wait for processes and connections of their own.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
  },
});
