import { waitForNodes } from "../../../../containers/wait-for-nodes.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import type { SshHost } from "../../host.ts";
import { STATE_FOLDER } from "../../machine-paths.ts";
import { machineOf, putText } from "../../steps/on-machine.ts";
import { answersItself, isServerStep, startAsItLies } from "../k3s-unit.ts";

/** The job that last renewed the certificates here. */
const NOTE = `${STATE_FOLDER}/renewed`;

/** k3s renews certificates that end soon whenever it starts, and at no other time: so it is started anew. */
export function renewK3sCertificates(host: SshHost): Step {
  return {
    name: "renew-k3s-certificates",
    precheck: async (context) => {
      const machine = await machineOf(context);
      const { stdout } = await machine.run({ argv: ["cat", NOTE] }, { signal: context.signal });
      return stdout.trim() === context.job.id;
    },
    run: (context) =>
      context.change(context.step.host, `Restart k3s on ${context.step.host}`, () => renew(host, context)),
  };
}

async function renew(host: SshHost, context: StepContext): Promise<void> {
  await startAsItLies(context);
  if (isServerStep(context)) {
    const find = async () => ((await answersItself(context)) ? null : "The API does not answer yet.");
    await waitForNodes(find, context, host.parts.timer);
  }
  await putText(await machineOf(context), NOTE, context.job.id);
  context.log("k3s has renewed those certificates that end within the next months; the others stay as they are.");
}
