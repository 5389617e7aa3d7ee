import { type ClusterSpec, DroverError } from "@drover/contract";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { controlPlanesOf, nodeNamed, versionOf } from "../declared.ts";
import { putKeys } from "../encryption/keys-on-machine.ts";
import { explainKubeadm } from "../failures.ts";
import { isMemberOf, type SshHost } from "../host.ts";
import { holdsCluster, type SeenPlace, seeKnown } from "../known-places.ts";
import { usesKubeVip } from "../kube-vip.ts";
import { initConfig } from "../kubeadm-config.ts";
import { KUBEADM_CONFIG, KUBECTL, PROGRAM_FOLDER } from "../machine-paths.ts";
import { noteSettings } from "./configure-ssh-control-plane.ts";
import { becomeMember, clearAttempt, hasReached } from "./member.ts";
import { machineOf, putText, work } from "./on-machine.ts";
import { placeFirstKubeVip } from "./place-ssh-kube-vip.ts";

/** The first control plane, out of nothing. Once a machine is a member this is never done to it again. */
export function initSshControlPlane(host: SshHost): Step {
  return {
    name: "init-ssh-control-plane",
    precheck: (context) => hasReached(context, "member"),
    run: (context) => {
      const { step, cluster } = context;
      const text = `Make ${step.host} the first control plane of ${cluster.name}`;
      return context.change(step.host, text, () => init(host, context));
    },
    verify: async (context) => (await hasReached(context, "member")) && (await answers(context)),
  };
}

async function init(host: SshHost, context: StepContext): Promise<void> {
  await assertNoOther(host, context);
  await assertNoneLeft(host, context);
  await clearAttempt(context);
  await startControlPlane(host, context);
}

/** By kubeadm, on a machine where nothing of an earlier attempt is left. */
export async function startControlPlane(
  host: SshHost,
  context: StepContext,
  ...more: readonly string[]
): Promise<void> {
  const { cluster, step } = context;
  const isEncrypted = await putKeys(context);
  const config = initConfig(cluster, nodeNamed(cluster.spec, step.host), versionOf(cluster.spec), isEncrypted);
  await putText(await machineOf(context), KUBEADM_CONFIG, config);
  if (usesKubeVip(cluster.spec)) await placeFirstKubeVip(host, context);
  const share = controlPlanesOf(cluster.spec).length > 1 ? ["--upload-certs"] : [];
  const how = ["--config", KUBEADM_CONFIG, "--skip-token-print", ...share, ...more];
  await work(context, [`${PROGRAM_FOLDER}/kubeadm`, "init", ...how]).catch((error: unknown) => {
    throw explainKubeadm(step.host, error);
  });
  await noteSettings(context);
  await becomeMember(context, versionOf(cluster.spec));
}

/**
 * A cluster begins once. Where a control plane is left, or may be, others join it: also one that the spec names no more,
 * which is dismissed only after they have joined.
 */
export async function assertNoOther(host: SshHost, { cluster, step, signal }: StepContext): Promise<void> {
  for (const place of await seeKnown(host, cluster, signal)) {
    const isOwn = place.moved || (place.declared && place.node === step.host);
    if (isOwn || !mayHoldControlPlane(cluster.spec, place)) continue;
    if ("unreachable" in place.seen) throw new DroverError("machine-unreachable", explainSilence(place));
    if (!holdsCluster(cluster, place)) continue;
    if (place.declared) {
      throw new DroverError(
        "plan-stale",
        `${place.node} is a control plane of ${cluster.name}: ${step.host} has to join it.`,
      );
    }
    throw new DroverError(
      "change-forbidden",
      `${place.node} at ${place.row.address}:${place.row.port} still holds ${cluster.name}, and the spec names none of its control planes any more: ${step.host} would begin an empty cluster. Keep one control plane until the new ones have joined.`,
    );
  }
}

const mayHoldControlPlane = (spec: ClusterSpec, { declared, node }: SeenPlace): boolean =>
  !declared || controlPlanesOf(spec).some(({ name }) => name === node);

function explainSilence({ declared, node, seen }: SeenPlace): string {
  const why = "unreachable" in seen ? seen.unreachable : "";
  if (declared) return why;
  return `${why} ${node}, which the spec names no more, may still hold the cluster: keep one control plane until the new ones have joined.`;
}

/** Nodes without a control plane are what is left of a cluster that was lost: a new one would not know them. */
export async function assertNoneLeft(host: SshHost, { cluster, signal }: StepContext): Promise<void> {
  const controlPlanes = new Set(controlPlanesOf(cluster.spec).map(({ name }) => name));
  const left = (await seeKnown(host, cluster, signal)).filter(
    ({ declared, moved, node, seen }) =>
      !moved && !(declared && controlPlanes.has(node)) && isMemberOf(cluster.id, seen),
  );
  if (left.length === 0) return;
  throw new DroverError(
    "control-planes-lost",
    `No control plane of ${cluster.name} is left, and ${left.map(({ node }) => node).join(", ")} still belong to it: a new one would be an empty cluster.`,
  );
}

async function answers(context: StepContext): Promise<boolean> {
  const argv = [...KUBECTL, "get", "--raw", "/readyz"] as const;
  const [ready] = await runAll(await machineOf(context), [{ argv }], { signal: context.signal });
  return ready?.exitCode === 0;
}
