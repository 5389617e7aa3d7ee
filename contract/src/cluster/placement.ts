import { z } from "zod";
import { describe } from "./field.ts";
import { dnsSubdomain, labels } from "./scalars.ts";

/** Which worker may act for the cluster. A cluster on one Docker host must be handled from that host. */
export const placement = z.strictObject({
  host: describe(
    dnsSubdomain,
    "Host whose workers handle the cluster; the one of the first worker that takes it when left out.",
  ).optional(),
  workerSelector: describe(labels, "Labels that a worker must have.").optional(),
});
