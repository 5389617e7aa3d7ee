import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { isControlPlane, nodeNamed } from "../declared.ts";
import { explainKubeadm } from "../failures.ts";
import { PROGRAM_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { machineOf, putText, versionOfStep, work } from "./on-machine.ts";

/** For which version kubeadm has last done its part on this machine. */
const UPGRADED = `${STATE_FOLDER}/upgraded`;
const API_SERVER = "/etc/kubernetes/manifests/kube-apiserver.yaml";

/** kubeadm's part of an upgrade: the components of a control plane, or the configuration of a kubelet. */
export function upgradeSshComponents(): Step {
  return {
    name: "upgrade-ssh-components",
    precheck: isUpgraded,
    run: (context) => {
      const { host } = context.step;
      const version = versionOfStep(context);
      return context.change(host, `Upgrade the components of ${host} to ${version}`, async () => {
        await upgrade(context);
        await putText(await machineOf(context), UPGRADED, version);
      });
    },
  };
}

async function isUpgraded(context: StepContext): Promise<boolean> {
  const version = versionOfStep(context);
  const [note, manifest] = await runAll(
    await machineOf(context),
    [{ argv: ["cat", UPGRADED] }, { argv: ["grep", "-c", `kube-apiserver:${version}$`, API_SERVER] }],
    { signal: context.signal },
  );
  const isControl = isControlPlane(nodeNamed(context.cluster.spec, context.step.host));
  return note?.stdout.trim() === version && (!isControl || manifest?.exitCode === 0);
}

async function upgrade(context: StepContext): Promise<void> {
  const { step } = context;
  const first = step.input["first"] === true;
  const what = first ? ["apply", "--yes", versionOfStep(context)] : ["node"];
  await work(context, [`${PROGRAM_FOLDER}/kubeadm`, "upgrade", ...what]).catch((error: unknown) => {
    throw explainKubeadm(step.host, error);
  });
}
