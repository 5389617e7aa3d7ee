import { defineConfig } from "vitest/config";

// Only ours: what is named here also reaches Node.js, whose own conditions must stay as they are.
const source = { conditions: ["drover-source", "node"] };

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: ["{contract,drover,web,scripts}/**/*.test.{ts,tsx}"],
    globalSetup: ["drover/test/global-setup.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
