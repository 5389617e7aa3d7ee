import { DroverError } from "@drover/contract";
import type { Module } from "../../domain/pipeline.ts";
import type { ChangeRequest, ProviderCluster } from "../../ports/provider.ts";
import { REMOVE_OWN_OBJECTS } from "../../steps/index.ts";

/**
 * Nothing that others made is changed or removed in their cluster: it is connected to, and when it is no longer wanted it
 * is let go of, with what we made in it for kubeconfigs.
 */
export function planImported({ name }: ProviderCluster, { kind }: ChangeRequest): readonly Module[] {
  switch (kind) {
    case "import":
    case "update":
    case "repair":
      return [CONNECT];
    case "delete":
      return [LET_GO];
    default:
      throw new DroverError("job-kind-unsupported", `${name} was imported; Drover has no ${kind} for it.`);
  }
}

/** Nothing is asked of a cluster in which we made nothing: it may be out of reach for good. */
const LET_GO: Module = {
  title: "Let go of the cluster",
  tasks: [
    {
      title: "Own objects",
      steps: [
        {
          step: REMOVE_OWN_OBJECTS,
          title: "Remove what Drover has made inside",
          deadlineMs: 3 * 60_000,
          // The deletion as a whole is tried again, and later.
          retry: { attempts: 1, baseMs: 1_000, capMs: 1_000 },
        },
      ],
    },
  ],
};

const CONNECT: Module = {
  title: "Connect to the cluster",
  tasks: [
    {
      title: "Connection",
      steps: [{ step: "connect-imported-cluster", title: "Connect with the kubeconfig", deadlineMs: 60_000 }],
    },
  ],
};
