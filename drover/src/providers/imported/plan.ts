import { DroverError } from "@drover/contract";
import type { Module } from "../../domain/pipeline.ts";
import type { ChangeRequest, ProviderCluster } from "../../ports/provider.ts";

/**
 * Nothing is made, changed or removed in a cluster that others made: it is connected to, and when it is no longer wanted
 * it is let go of.
 */
export function planImported({ name }: ProviderCluster, { kind }: ChangeRequest): readonly Module[] {
  switch (kind) {
    case "import":
    case "update":
    case "repair":
      return [CONNECT];
    case "delete":
      return [];
    default:
      throw new DroverError("job-kind-unsupported", `${name} was imported; Drover has no ${kind} for it.`);
  }
}

const CONNECT: Module = {
  title: "Connect to the cluster",
  tasks: [
    {
      title: "Connection",
      steps: [{ step: "connect-imported-cluster", title: "Connect with the kubeconfig", deadlineMs: 60_000 }],
    },
  ],
};
