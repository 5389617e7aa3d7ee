import { DroverError } from "@drover/contract";
import { runOrThrow } from "../../../ports/connector.ts";
import type { StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import type { SshHost } from "../host.ts";
import { answersHere } from "../local-api.ts";
import { STOPPED_FOR_KEYS } from "../machine-paths.ts";
import { START_COMPONENTS, STOP_COMPONENTS } from "../scripts/control-plane.ts";
import { argvOf } from "../scripts/script.ts";
import { runPhase } from "../steps/kubeadm-phase.ts";
import { machineOf, runScript, work } from "../steps/on-machine.ts";
import { putKeys } from "./keys-on-machine.ts";

const API_SERVER = "kube-apiserver";
const PAUSE_MS = 1_000;
const PATIENCE_MS = 300_000;
/** So often in a row one container has to answer that was given settings which may be bad; keys are Drover's own. */
const TIMES = 3;

/**
 * Has the API server of this control plane start with the keys of now. It reads them only when it starts, and others
 * rely on it: so the old one is seen gone before the new one is asked. What may fail comes before anything is stopped.
 */
export async function restartWithKeys(host: SshHost, context: StepContext): Promise<void> {
  await putKeys(context);
  await restartAsDeclared(host, context, 1);
}

/** The same with whatever else is declared: the old one, which still answers for a while, is seen gone first. */
export async function restartAsDeclared(host: SshHost, context: StepContext, times = TIMES): Promise<void> {
  await runPhase(context, "control-plane", "apiserver");
  await work(context, argvOf(STOP_COMPONENTS, STOPPED_FOR_KEYS, API_SERVER));
  await runScript(context, START_COMPONENTS, STOPPED_FOR_KEYS, API_SERVER);
  await waitUntilAnswers(host, context, times);
  const machine = await machineOf(context);
  await runOrThrow(machine, { argv: ["rm", "-rf", STOPPED_FOR_KEYS] }, { signal: context.signal });
}

/** Starts an API server that is stopped. kubeadm has been told whether there are keys (`describeInit`). */
export async function startWithKeys(host: SshHost, context: StepContext): Promise<void> {
  await putKeys(context);
  await runPhase(context, "control-plane", "apiserver");
  await waitUntilAnswers(host, context, 1);
}

/** One that only comes up to go down again is seen in another container, or in none. */
async function waitUntilAnswers(host: SshHost, context: StepContext, times: number): Promise<void> {
  const { signal, step } = context;
  const machine = await machineOf(context);
  const argv = ["crictl", "ps", "-q", "--name", `^${API_SERVER}$`] as const;
  let [answered, container] = [0, ""];
  for (let round = 0; round * PAUSE_MS < PATIENCE_MS; round += 1) {
    const { stdout } = await machine.run({ argv }, { signal });
    const isSame = stdout.trim() !== "" && stdout === container;
    container = stdout;
    const answers = container.trim() !== "" && (await answersHere(machine, context));
    answered = answers ? (isSame ? answered : 0) + 1 : 0;
    if (answered >= times) return;
    await sleep(host.parts.timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
  throw new DroverError(
    "step-not-verified",
    `The API server of ${step.host} does not answer with what was declared. Look there at \`crictl ps -a\` and the log of kube-apiserver, or take the change back.`,
  );
}
