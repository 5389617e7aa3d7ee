import type { en } from "./en/index.ts";

/** What every catalogue must hold: a key that is missing, or takes other arguments, does not compile. */
export type Messages = typeof en;
