import { DroverError } from "@drover/contract";
import { waitForNodes } from "../../../../containers/wait-for-nodes.ts";
import { runAll } from "../../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import { baseName } from "../../bill-of-materials.ts";
import { sshPart } from "../../declared.ts";
import type { SshHost } from "../../host.ts";
import { machineOf, versionOfStep, work } from "../../steps/on-machine.ts";
import { archivesFor, fullName } from "../../steps/preload-ssh-images.ts";
import { K3S_IMAGES, K3S_PROGRAM } from "../k3s-paths.ts";
import { openK3sRelease } from "../k3s-release.ts";

/** Longer than k3s takes to notice an archive and to read it. */
const ROUNDS = 120;

/** Images that the spec wants on every node: k3s loads archives that lie beside its own, and pulls the others. */
export function preloadK3sImages(host: SshHost): Step {
  return {
    name: "preload-k3s-images",
    precheck: async (context) => (await findMissing(context)).length === 0,
    run: (context) => {
      const text = `Load images onto ${context.step.host}, as far as they are not there`;
      return context.change(context.step.host, text, () => preload(host, context));
    },
  };
}

async function findMissing(context: StepContext): Promise<readonly string[]> {
  const argv = [K3S_PROGRAM, "ctr", "-n", "k8s.io", "images", "ls", "-q"] as const;
  const [listed] = await runAll(await machineOf(context), [{ argv }], { signal: context.signal, keepBytes: 1 << 20 });
  const there = new Set(listed?.stdout.split("\n"));
  return (sshPart(context.cluster.spec).preloadImages ?? []).filter((image) => !there.has(fullName(image)));
}

async function preload(host: SshHost, context: StepContext): Promise<void> {
  const { spec } = context.cluster;
  const { artifacts } = await openK3sRelease(host, context, versionOfStep(context));
  const machine = await machineOf(context);
  for (const { image, artifact } of archivesFor(artifacts, spec, await findMissing(context))) {
    if (artifact === null) {
      await work(context, [K3S_PROGRAM, "crictl", "pull", fullName(image)]);
    } else {
      // It stays there: images that were removed in want of space come back with the next start.
      const { sha256 } = artifact;
      const to = `${K3S_IMAGES}/${baseName(artifact)}`;
      await machine.sendFile(await artifacts.at(artifact), to, { sha256, signal: context.signal });
    }
  }
  await waitUntilLoaded(host, context);
}

async function waitUntilLoaded(host: SshHost, context: StepContext): Promise<void> {
  let rounds = 0;
  const find = async () => {
    const missing = await findMissing(context);
    rounds += 1;
    if (missing.length === 0) return null;
    if (rounds < ROUNDS) return `Not loaded yet: ${missing.join(", ")}.`;
    throw new DroverError("artifact-missing", `The archives that were brought do not hold ${missing.join(", ")}.`);
  };
  await waitForNodes(find, context, host.parts.timer);
}
