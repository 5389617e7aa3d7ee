import { type ErrorKind, errorKind } from "./error-kind.ts";

/** Why no plan is made. */
export const PLAN_ERRORS = {
  "cluster-unseen": errorKind(
    503,
    "Nobody could see whether the cluster exists",
    true,
    "Wait until it can be looked at again; what cannot be seen is neither made nor removed.",
  ),
  "change-forbidden": errorKind(
    422,
    "The cluster cannot be changed into this",
    false,
    "Take back the change that the detail names, or declare a new cluster.",
  ),
  "job-kind-unsupported": errorKind(
    422,
    "The provider of the cluster cannot do this",
    false,
    "Choose another way, or a cluster on a provider that can.",
  ),
} as const satisfies Record<string, ErrorKind>;
