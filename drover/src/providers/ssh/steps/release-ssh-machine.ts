import { readMachine } from "../../../machines/machine-ref.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import type { SshHost } from "../host.ts";
import { releaseMachine } from "../release-machine.ts";

/** Takes Kubernetes off a machine and leaves it as it was found. */
export function releaseSshMachine(host: SshHost): Step {
  return {
    name: "release-ssh-machine",
    // The ledger lets go of a machine only after it was seen free; from then on nothing pins its key, and nobody asks it.
    precheck: async (context) => !(await isInLedger(context)),
    run: (context) => {
      const text = `Take Kubernetes off ${context.step.host}, and leave it as it was found`;
      return context.change(context.step.host, text, () => releaseMachine(host, context));
    },
  };
}

/** With a node, under that name alone. */
export async function isInLedger({ ledger, step }: StepContext, node?: string): Promise<boolean> {
  return (await ledger.list()).some((row) => {
    const machine = readMachine(row);
    if (machine === null || (node !== undefined && machine.node !== node)) return false;
    return machine.node === step.host || `${machine.address}:${machine.port}` === step.host;
  });
}
