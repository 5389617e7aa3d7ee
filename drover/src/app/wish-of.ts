import type { JobKind } from "@drover/contract";

/** What asking for a job asks for beside the job: whoever has a cluster stopped wants it to sleep. */
export const wishOf = (kind: JobKind): { readonly hibernated?: boolean } =>
  kind === "hibernate" || kind === "wake" ? { hibernated: kind === "hibernate" } : {};
