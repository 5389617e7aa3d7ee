import type { Step, StepContext } from "../../../../ports/step.ts";
import type { SshHost } from "../../host.ts";
import { STATE_FOLDER } from "../../machine-paths.ts";
import { isReplaced, replaceOnEmptyNode } from "../../replace-on-empty-node.ts";
import { LIST_SUMS, NOTE_SUMS } from "../../scripts/list-sums.ts";
import { machineOf, runScript, versionOfStep } from "../../steps/on-machine.ts";
import { K3S_IMAGES, K3S_LINKS, K3S_PROGRAM } from "../k3s-paths.ts";
import { startUnit } from "../k3s-unit.ts";
import { PLACE_K3S } from "../scripts/start-k3s.ts";
import { asidePath, imagesPath, k3sMaterials } from "./bring-k3s-artifacts.ts";

/** k3s of a new release on an empty node, which is then filled again. */
export function upgradeK3sNode(host: SshHost): Step {
  return {
    name: "upgrade-k3s-node",
    precheck: (context) => isReplaced(host, context),
    run: (context) => {
      const name = context.step.host;
      const text = `Drain ${name}, run k3s ${versionOfStep(context)} on it, and let pods come back`;
      return context.change(name, text, async () => {
        await replaceOnEmptyNode(host, context, () => replace(host, context));
        await removeOldImages(host, context);
      });
    },
  };
}

async function replace(host: SshHost, context: StepContext): Promise<void> {
  const version = versionOfStep(context);
  const { materials } = await k3sMaterials(host, context);
  const { sha256 } = materials.program;
  const sums = await runScript(context, LIST_SUMS, STATE_FOLDER, K3S_PROGRAM);
  if (!sums.split("\n").includes(`${sha256}  ${K3S_PROGRAM}`)) {
    await runScript(context, PLACE_K3S, asidePath(version), K3S_PROGRAM, ...K3S_LINKS);
    await runScript(context, NOTE_SUMS, STATE_FOLDER, sha256, K3S_PROGRAM);
  }
  await startUnit(context);
}

/** The archives of earlier releases would be read at every start. */
async function removeOldImages(host: SshHost, context: StepContext): Promise<void> {
  const { materials } = await k3sMaterials(host, context);
  const kept = imagesPath(versionOfStep(context), materials.images);
  const argv = ["find", K3S_IMAGES, "-name", "drover-*", "!", "-path", kept, "-delete"] as const;
  await (await machineOf(context)).run({ argv }, { signal: context.signal });
}
