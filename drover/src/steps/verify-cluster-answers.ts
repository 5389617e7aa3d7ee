import { DroverError } from "@drover/contract";
import { type Sighting, unseen } from "../domain/sighting.ts";
import type { Provider } from "../ports/provider.ts";
import type { Step, StepContext } from "../ports/step.ts";
import { sleep, type Timer } from "../ports/timer.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Waits until the cluster is there, in one piece, and its API answers. A cluster that does not answer because it is not
 * as declared is not waited for: nothing in this job would change that, and the next look has it repaired.
 */
export function verifyClusterAnswers(parts: { findProvider(id: string): Provider; timer: Timer }): Step {
  const look = async ({ cluster, signal }: StepContext): Promise<Sighting> => {
    const provider = parts.findProvider(cluster.spec.provider);
    const [sighting] = await provider.observe([cluster], { signal, thorough: true });
    return sighting ?? unseen("The provider said nothing.");
  };
  return {
    name: "verify-cluster-answers",
    light: true,
    precheck: async (context) => answers(await look(context)),
    run: async (context) => {
      const { cluster, step } = context;
      const text = `Wait until the cluster ${cluster.name} answers`;
      await context.change(step.host, text, () => waitForAnswer(context, () => look(context), parts.timer));
    },
    verify: async (context) => {
      const sighting = await look(context);
      return answers(sighting) || isForRepair(sighting);
    },
  };
}

async function waitForAnswer(context: StepContext, look: () => Promise<Sighting>, timer: Timer): Promise<void> {
  const { cluster, signal } = context;
  let said = "";
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const sighting = await look();
    if (sighting.message !== said) context.log(sighting.message);
    said = sighting.message;
    if (answers(sighting)) return;
    if (sighting.presence === "absent") throw goneMissing(cluster.name, sighting);
    if (isForRepair(sighting)) return context.log("It is not as declared; that is left to repair.");
    await sleep(timer, pauseMs, signal);
    signal.throwIfAborted();
  }
}

function answers({ presence, complete, reachable }: Sighting): boolean {
  return presence === "present" && complete && reachable === true;
}

function isForRepair({ presence, complete, drift }: Sighting): boolean {
  return presence === "present" && complete && drift.length > 0;
}

/** Waiting would not bring it back. */
function goneMissing(name: string, { message }: Sighting): DroverError {
  return new DroverError("step-failed", `The cluster ${name} is not there: ${message} Look at who removed it.`);
}
