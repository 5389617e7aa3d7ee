import { defineConfig } from "vitest/config";

// Only ours: what is named here also reaches Node.js, whose own conditions must stay as they are.
const source = { conditions: ["drover-source", "node"] };

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
