import { DroverError } from "@drover/contract";
import type { Caller } from "./caller.ts";

/** What everybody uses belongs to nobody's scope: who is bound to some clusters may use it, but not change it. */
export function assertMayShare({ scopes }: Caller, what: "templates" | "groups" | "secrets"): void {
  if (scopes.length === 0) return;
  throw new DroverError("forbidden", `${what[0]?.toUpperCase()}${what.slice(1)} are shared by all; your scope is not.`);
}
