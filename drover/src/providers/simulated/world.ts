import type { EntryDraft, LedgerRecord } from "./ledger.ts";
import type { WorldState } from "./world-state.ts";

/** Where a simulated cloud lives. */
export interface World {
  /** Everything that was called so far. The answer is live: read it at once, and change nothing. */
  read(): WorldState;
  /** Calls, in this order and with nobody else's in between. Answers what came of each. */
  append(drafts: readonly EntryDraft[]): readonly LedgerRecord[];
  close(): void;
}
