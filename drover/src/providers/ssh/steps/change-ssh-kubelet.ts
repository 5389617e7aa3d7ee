import type { Step, StepContext } from "../../../ports/step.ts";
import { openArtifacts } from "../artifacts.ts";
import { baseName, materialsFor, purposeOf } from "../bill-of-materials.ts";
import { nodeNamed } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { PROGRAM_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { isReplaced, replaceOnEmptyNode } from "../replace-on-empty-node.ts";
import { LIST_SUMS, NOTE_SUMS } from "../scripts/list-sums.ts";
import { machineOf, runScript, versionOfStep } from "./on-machine.ts";

/** The kubelet of a new version on an empty node, which is then filled again. */
export function changeSshKubelet(host: SshHost): Step {
  return {
    name: "change-ssh-kubelet",
    precheck: (context) => isReplaced(host, context),
    run: (context) => {
      const name = context.step.host;
      const text = `Drain ${name}, change its kubelet to ${versionOfStep(context)}, and let pods come back`;
      return context.change(name, text, () => replaceOnEmptyNode(host, context, () => restart(host, context)));
    },
  };
}

async function restart(host: SshHost, context: StepContext): Promise<void> {
  await placePrograms(host, context);
  const machine = await machineOf(context);
  await machine.run({ argv: ["systemctl", "restart", "kubelet"] }, { signal: context.signal });
}

/** The old one runs on until it is told to stop: a program that is replaced stays open. */
async function placePrograms(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step, signal } = context;
  const artifacts = await openArtifacts(host, context);
  const purpose = purposeOf(cluster.spec, nodeNamed(cluster.spec, step.host));
  const machine = await machineOf(context);
  const wanted = materialsFor(artifacts, versionOfStep(context), purpose).programs.filter(({ artifact }) =>
    ["kubelet", "kubectl", "crictl", "etcdctl", "etcdutl"].includes(baseName(artifact)),
  );
  const sums = new Set(
    (await runScript(context, LIST_SUMS, STATE_FOLDER, ...wanted.map(({ path }) => path))).split("\n"),
  );
  for (const { artifact, path } of wanted) {
    if (sums.has(`${artifact.sha256}  ${path}`)) continue;
    await machine.sendFile(await artifacts.at(artifact), path, { mode: 0o755, sha256: artifact.sha256, signal });
    await runScript(context, NOTE_SUMS, STATE_FOLDER, artifact.sha256, path);
    context.log(`${PROGRAM_FOLDER}/${baseName(artifact)} is of ${versionOfStep(context)} now.`);
  }
}
