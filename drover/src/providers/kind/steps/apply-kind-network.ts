import { DroverError } from "@drover/contract";
import { explained } from "../../../containers/explain-steps.ts";
import { runTool } from "../../../containers/run-tool.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { type KindHost, KUBECONFIG_PATH } from "../host.ts";
import { findTarget, requireMarked } from "./seen-cluster.ts";

/** Applies the manifest of a pod network that the spec names, with the kubectl of the node itself. */
export function applyKindNetwork(host: KindHost): Step {
  return explained({
    name: "apply-kind-network",
    precheck: (context) => hasReadyNode(host, context),
    run: (context) => {
      const manifest = context.cluster.spec.networking?.cni.manifest ?? "";
      const text = `Apply the pod network ${manifest}`;
      return context.change(context.step.host, text, () => applyManifest(host, context, manifest));
    },
    // The nodes get ready only after a while, which the next step waits for.
    verify: async () => true,
  });
}

/** Only a pod network makes a node ready. */
async function hasReadyNode(host: KindHost, context: StepContext): Promise<boolean> {
  const target = await findTarget(host, context);
  if (target === null) return false;
  const look = { thorough: true, signal: context.signal };
  const nodes = await host.parts.kubernetes.look(target, look).then(
    (seen) => seen.nodes,
    () => [],
  );
  return nodes.some(({ status }) => status === "Ready");
}

async function applyManifest(host: KindHost, context: StepContext, manifest: string): Promise<void> {
  const { seen } = await requireMarked(host, context);
  const isFile = manifest.startsWith("/");
  const connector = await context.connect("local");
  const stdin = isFile ? new TextDecoder().decode(await connector.get(manifest)) : undefined;
  const kubectl = ["kubectl", `--kubeconfig=${KUBECONFIG_PATH}`, "apply", "-f", isFile ? "-" : manifest];
  const end = await runTool(context, {
    argv: ["docker", "exec", "-i", seen.controlPlanes[0]?.id ?? "", ...kubectl],
    environment: { DOCKER_HOST: host.parts.settings.dockerHost },
    ...(stdin === undefined ? {} : { stdin }),
  });
  if (end.ok) return;
  const why = end.stderr.trim().split("\n").at(-1) ?? "";
  throw new DroverError(
    "step-failed",
    `The pod network ${manifest} could not be applied: ${why} Check spec.networking.cni.manifest.`,
  );
}
