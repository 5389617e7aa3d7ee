import type { ProblemCode } from "@drover/contract";

/** Something that is in the way on one machine. */
export interface Finding {
  readonly code: ProblemCode;
  readonly message: string;
  /** Left out: an error. */
  readonly severity?: "error" | "warning";
  /** Left out: what the code says. */
  readonly next?: string;
  /** What mends it, to be run as root on the machine. */
  readonly command?: string;
}
