import { sha256 } from "../../../lib/sha256.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { openArtifacts } from "../artifacts.ts";
import { kubeVipImageOf } from "../bill-of-materials.ts";
import { sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { KUBE_VIP_MANIFEST, kubeVipManifest } from "../kube-vip.ts";
import { ADMIN_CONFIG, STATE_FOLDER, SUPER_ADMIN_CONFIG, VIRTUAL_ADDRESS_NOTE } from "../machine-paths.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { machineOf, putText, versionOfStep } from "./on-machine.ts";

/** The address under which the API stays reachable, carried by one of the control planes: kube-vip, as a static pod. */
export function placeSshKubeVip(host: SshHost): Step {
  return {
    name: "place-ssh-kube-vip",
    precheck: async (context) => {
      const machine = await machineOf(context);
      const manifest = await manifestFor(host, context, ADMIN_CONFIG);
      const [sum] = await runAll(machine, [{ argv: ["sha256sum", KUBE_VIP_MANIFEST] }], { signal: context.signal });
      return sum?.stdout.split(" ")[0] === sha256(manifest);
    },
    run: (context) => {
      const text = `Have kube-vip on ${context.step.host} share the address of the API servers`;
      return context.change(context.step.host, text, async () => {
        await place(context, await manifestFor(host, context, ADMIN_CONFIG));
      });
    },
  };
}

/**
 * Before there is a cluster: kubeadm asks by the address as soon as the API server is up, and at that time only one
 * kubeconfig may do anything. The step above puts the usual one in its place.
 */
export async function placeFirstKubeVip(host: SshHost, context: StepContext): Promise<void> {
  await place(context, await manifestFor(host, context, SUPER_ADMIN_CONFIG));
}

async function place(context: StepContext, manifest: string): Promise<void> {
  const machine = await machineOf(context);
  const { virtualIp = "" } = sshPart(context.cluster.spec).endpoint;
  await machine.run({ argv: ["mkdir", "-p", STATE_FOLDER, "/etc/kubernetes/manifests"] }, { signal: context.signal });
  await putText(machine, VIRTUAL_ADDRESS_NOTE, virtualIp);
  await putText(machine, KUBE_VIP_MANIFEST, manifest);
}

async function manifestFor(host: SshHost, context: StepContext, kubeconfig: string): Promise<string> {
  const { cluster, signal } = context;
  const [image, { card }, [sum]] = await Promise.all([
    openArtifacts(host, context).then((artifacts) => kubeVipImageOf(artifacts, versionOfStep(context))),
    findEndpoint(context),
    machineOf(context).then((machine) => runAll(machine, [{ argv: ["sha256sum", kubeconfig] }], { signal })),
  ]);
  const stamp = sum?.stdout.split(" ")[0] ?? "";
  return kubeVipManifest(cluster.spec, { image, card, kubeconfig, stamp });
}
