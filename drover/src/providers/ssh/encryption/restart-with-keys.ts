import { waitForNodes } from "../../../containers/wait-for-nodes.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import type { StepContext } from "../../../ports/step.ts";
import type { SshHost } from "../host.ts";
import { answersHere } from "../local-api.ts";
import { STOPPED_FOR_KEYS } from "../machine-paths.ts";
import { START_COMPONENTS, STOP_COMPONENTS } from "../scripts/control-plane.ts";
import { argvOf } from "../scripts/script.ts";
import { runPhase } from "../steps/kubeadm-phase.ts";
import { machineOf, runScript, work } from "../steps/on-machine.ts";
import { putKeys } from "./keys-on-machine.ts";

const API_SERVER = "kube-apiserver";

/**
 * Has the API server of this control plane start with the keys of now. It reads them only when it starts, and others
 * rely on it: so the old one is seen gone before the new one is asked. What may fail comes before anything is stopped.
 */
export async function restartWithKeys(host: SshHost, context: StepContext): Promise<void> {
  await writeWithKeys(context);
  await work(context, argvOf(STOP_COMPONENTS, STOPPED_FOR_KEYS, API_SERVER));
  await runScript(context, START_COMPONENTS, STOPPED_FOR_KEYS, API_SERVER);
  await waitUntilAnswers(host, context);
  const machine = await machineOf(context);
  await runOrThrow(machine, { argv: ["rm", "-rf", STOPPED_FOR_KEYS] }, { signal: context.signal });
}

/** Starts an API server that is stopped. */
export async function startWithKeys(host: SshHost, context: StepContext): Promise<void> {
  await writeWithKeys(context);
  await waitUntilAnswers(host, context);
}

/** kubeadm has been told whether there are keys (`describeInit`). */
async function writeWithKeys(context: StepContext): Promise<void> {
  await putKeys(context);
  await runPhase(context, "control-plane", "apiserver");
}

async function waitUntilAnswers(host: SshHost, context: StepContext): Promise<void> {
  const { signal, step } = context;
  const machine = await machineOf(context);
  const argv = ["crictl", "ps", "-q", "--name", `^${API_SERVER}$`] as const;
  const find = async () => {
    const { stdout } = await machine.run({ argv }, { signal });
    if (stdout.trim() === "") return `The API server of ${step.host} does not run yet.`;
    return (await answersHere(machine, context)) ? null : `The API server of ${step.host} does not answer yet.`;
  };
  await waitForNodes(find, context, host.parts.timer);
}
