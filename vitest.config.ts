import { defineConfig } from "vitest/config";

const source = { conditions: ["drover-source", "import", "module", "node", "default"] };

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: ["{contract,drover,web,scripts}/**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
