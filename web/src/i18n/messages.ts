import type { en } from "./en.ts";

/** What every catalogue must hold: a key that is missing, or takes other arguments, does not compile. */
export type Messages = { readonly [Key in keyof typeof en]: (typeof en)[Key] };
