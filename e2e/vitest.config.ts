import { defineConfig } from "vitest/config";
import { sourceResolution } from "../scripts/lib/source-resolution.mjs";
import { listReporters } from "../scripts/lib/test-reporters.mjs";

export default defineConfig({
  ...sourceResolution,
  test: {
    reporters: listReporters(),
    include: ["e2e/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // Those of a suite share what it runs on, unless `atOnce` in suites.json says otherwise.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
