import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Only ours: what is named here also reaches Node.js, whose own conditions must stay as they are.
const source = { conditions: ["drover-source", "node"] };
// The sources, also for the global set-up, which knows no conditions of ours: a bare clone has no build to fall back on.
const contract = fileURLToPath(new URL("../contract/src/index.ts", import.meta.url));

export default defineConfig({
  resolve: { ...source, alias: [{ find: /^@drover\/contract$/, replacement: contract }] },
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
