import { BAD_FIELDS } from "./bad-fields.ts";
import { BAD_MACHINES } from "./bad-machines.ts";
import { BAD_NETWORKS } from "./bad-networks.ts";
import { BAD_PROVIDERS } from "./bad-providers.ts";
import type { CorpusEntry } from "./entry.ts";
import { GOOD } from "./good.ts";
import { HOSTILE } from "./hostile.ts";

export type { CorpusEntry, Difference } from "./entry.ts";
export { GOOD } from "./good.ts";

/** Good and bad documents with the verdict that each must get, from us and from a Kubernetes API server. */
export const CORPUS: readonly CorpusEntry[] = [
  ...GOOD,
  ...BAD_FIELDS,
  ...BAD_NETWORKS,
  ...BAD_PROVIDERS,
  ...BAD_MACHINES,
  ...HOSTILE,
];
