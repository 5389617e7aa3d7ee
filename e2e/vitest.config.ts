import { defineConfig } from "vitest/config";

const source = { conditions: ["drover-source", "import", "module", "node", "default"] };

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: ["e2e/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // Each suite has the machine to itself.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
