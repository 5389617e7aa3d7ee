import { BAD_FIELDS } from "./bad-fields.ts";
import { BAD_RULES } from "./bad-rules.ts";
import type { CorpusEntry } from "./entry.ts";
import { GOOD } from "./good.ts";
import { HOSTILE } from "./hostile.ts";

export type { CorpusEntry, Difference } from "./entry.ts";
export { GOOD } from "./good.ts";

/** Good and bad documents with the verdict that each must get, from us and from a Kubernetes API server. */
export const CORPUS: readonly CorpusEntry[] = [...GOOD, ...BAD_FIELDS, ...BAD_RULES, ...HOSTILE];
