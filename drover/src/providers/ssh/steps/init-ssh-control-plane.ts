import { DroverError } from "@drover/contract";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { controlPlanesOf, nodeNamed, versionOf, workersOf } from "../declared.ts";
import { putKeys } from "../encryption/keys-on-machine.ts";
import { explainKubeadm } from "../failures.ts";
import { isMemberOf, type SshHost } from "../host.ts";
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

/** A cluster begins once. Where a control plane is left, or may be, others join it. */
export async function assertNoOther(host: SshHost, { cluster, step, signal }: StepContext): Promise<void> {
  const known = new Set((await host.parts.machines.known(cluster.id)).map(({ node }) => node));
  const others = controlPlanesOf(cluster.spec).flatMap(({ name }) =>
    name !== step.host && known.has(name) ? [name] : [],
  );
  for (const one of await host.seeAll(cluster, others, signal)) {
    if ("unreachable" in one) throw new DroverError("machine-unreachable", one.unreachable);
    if (!isMemberOf(cluster.id, one)) continue;
    throw new DroverError(
      "plan-stale",
      `${one.node} is a control plane of ${cluster.name}: ${step.host} has to join it.`,
    );
  }
}

/** Nodes without a control plane are what is left of a cluster that was lost: a new one would not know them. */
export async function assertNoneLeft(host: SshHost, { cluster, signal }: StepContext): Promise<void> {
  const known = new Set((await host.parts.machines.known(cluster.id)).map(({ node }) => node));
  const workers = workersOf(cluster.spec).flatMap(({ name }) => (known.has(name) ? [name] : []));
  const left = (await host.seeAll(cluster, workers, signal)).filter((one) => isMemberOf(cluster.id, one));
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
