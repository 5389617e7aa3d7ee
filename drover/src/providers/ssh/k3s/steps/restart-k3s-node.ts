import { runAll } from "../../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import type { SshHost } from "../../host.ts";
import { waitUntilReady } from "../../replace-on-empty-node.ts";
import { requireTarget } from "../../steps/label-ssh-nodes.ts";
import { machineOf } from "../../steps/on-machine.ts";
import { k3sFilesFor, sumOfFiles } from "../k3s-files.ts";
import { K3S_STARTED_WITH } from "../k3s-paths.ts";
import { startUnit } from "../k3s-unit.ts";

/** Has k3s run with the configuration that lies there. Pods run on meanwhile. */
export function restartK3sNode(host: SshHost): Step {
  return {
    name: "restart-k3s-node",
    precheck: runsWithFiles,
    run: (context) =>
      context.change(
        context.step.host,
        `Restart k3s on ${context.step.host}, as its configuration changed`,
        async () => {
          await startUnit(context);
          await waitUntilReady(host, context, await requireTarget(host, context), null);
        },
      ),
  };
}

async function runsWithFiles(context: StepContext): Promise<boolean> {
  const [stamp] = await runAll(await machineOf(context), [{ argv: ["cat", K3S_STARTED_WITH] }], {
    signal: context.signal,
  });
  return stamp?.stdout.trim() === sumOfFiles(await k3sFilesFor(context));
}
