import { CANCEL_CODES, describeOutcome, type Outcome } from "../domain/outcome.ts";
import type { JobError } from "../ports/store/index.ts";

/** What a job that came out like this is stored with. */
export function errorOf(outcome: Outcome): JobError | null {
  switch (outcome.kind) {
    case "done":
      return null;
    case "failed":
      return outcome.error;
    case "waiting":
      return { code: "waiting", message: outcome.reason };
    case "stalled":
      return { code: outcome.code, message: outcome.reason };
    case "cancelled":
      return { code: CANCEL_CODES[outcome.effect], message: describeOutcome(outcome) };
  }
}
