import { defineConfig } from "vitest/config";
import { sourceResolution } from "../scripts/lib/source-resolution.mjs";

export default defineConfig({
  ...sourceResolution,
  test: {
    include: ["e2e/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // Each suite has the machine to itself.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
