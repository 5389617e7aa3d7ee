import { z } from "zod";
import { describe } from "./field.ts";
import { dnsLabel, labelKey, labels, timestamp } from "./scalars.ts";

/** Kubernetes puts no limit on an annotation's characters; control characters are refused for the whole document. */
const annotations = z.record(labelKey, z.string().max(65_536));

/** The part of Kubernetes object metadata that Drover keeps. What only a server may set is accepted and ignored. */
export const metadata = z.strictObject({
  name: describe(
    dnsLabel,
    "Name of the cluster, unique in one Drover. It also names contexts, git branches and routes.",
    {
      form: { placeholder: "dev-1" },
    },
  ),
  labels: describe(labels, "Labels to select clusters by.").optional(),
  annotations: describe(annotations, "Notes that programs and people attach.").optional(),
  uid: describe(z.string().max(64), "Set by the server.").optional(),
  generation: describe(z.int().min(0), "Set by the server: counts the revisions of the spec.").optional(),
  resourceVersion: describe(z.string().max(64), "Set by the server: changes with every change.").optional(),
  creationTimestamp: describe(timestamp, "Set by the server.").optional(),
  deletionTimestamp: describe(timestamp, "Set by the server when deletion was asked for.").optional(),
});
