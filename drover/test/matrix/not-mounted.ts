import type { ROUTES } from "@drover/contract";

/** The tables that nobody has mounted yet. It can only become shorter: a test fails once one of them is mounted. */
export const NOT_MOUNTED = [
  "kubeconfigs",
  "templates",
  "groups",
  "batches",
  "imports",
  "secrets",
] as const satisfies readonly (keyof typeof ROUTES)[];
