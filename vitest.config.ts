import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Only ours: what is named here also reaches Node.js, whose own conditions must stay as they are.
const source = { conditions: ["drover-source", "node"] };
// The sources, also for the global set-up, which knows no conditions of ours: a bare clone has no build to fall back on.
const contract = fileURLToPath(new URL("./contract/src/index.ts", import.meta.url));

export default defineConfig({
  resolve: { ...source, alias: [{ find: /^@drover\/contract$/, replacement: contract }] },
  ssr: { resolve: source },
  test: {
    include: ["{contract,drover,web,scripts}/**/*.test.{ts,tsx}"],
    globalSetup: ["drover/test/global-setup.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
