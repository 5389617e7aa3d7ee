import type { ErrorCode, Phase } from "@drover/contract";
import { PHASES } from "@drover/contract";

/** A phase, or `Gone`: there is no such cluster, because it was never declared or was seen to be gone. */
export type Stage = Phase | "Gone";
export const STAGES = ["Gone", ...PHASES] as const satisfies readonly Stage[];

/** One thing that can come of an event. `when` says in which case, where there are several. */
export type Answer =
  | { readonly kind: "to"; readonly stage: Stage; readonly when: string }
  | { readonly kind: "ignored"; readonly when: string }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly when: string };

/** All that can come of one event in one stage. */
export type Cell = readonly [Answer, ...Answer[]];
export type Row = Readonly<Record<Stage, Cell>>;

export const to = (stage: Stage, when = ""): Answer => ({ kind: "to", stage, when });
export const ignored = (when: string): Answer => ({ kind: "ignored", when });
export const refused = (code: ErrorCode, when = ""): Answer => ({ kind: "refused", code, when });

/** A row in which the stages that are not named get the same answer. */
export function row(named: Partial<Record<Stage, Cell>>, others: (stage: Stage) => Cell): Row {
  const cells = STAGES.map((stage) => [stage, named[stage] ?? others(stage)] as const);
  return Object.fromEntries(cells) as unknown as Row;
}

/** The cluster stays what it is. */
export const stay = (stage: Stage): Cell => [to(stage)];
