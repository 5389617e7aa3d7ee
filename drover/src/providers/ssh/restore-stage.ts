import type { RemoteMachine } from "../../ports/machines.ts";
import type { Step, StepContext } from "../../ports/step.ts";
import { STATE_FOLDER } from "./machine-paths.ts";
import { hasReached } from "./steps/member.ts";
import { machineOf, putText } from "./steps/on-machine.ts";

/** What a restore keeps on a machine while it goes on. */
export const RESTORE_FOLDER = `${STATE_FOLDER}/restore`;
/** Where the manifests of a control plane lie while it is stopped. */
export const STOPPED_MANIFESTS = `${RESTORE_FOLDER}/manifests`;
export const RESTORE_SNAPSHOT = `${RESTORE_FOLDER}/snapshot.db`;
const NOTE = `${RESTORE_FOLDER}/stage`;

/** How far a machine has come in one restore. */
const STAGES = ["brought", "built", "stopped", "restored", "begun", "started", "refreshed"] as const;
export type RestoreStage = (typeof STAGES)[number];

async function readNote(context: StepContext): Promise<{ readonly job: string; readonly come: number }> {
  const machine = await machineOf(context);
  const { exitCode, stdout } = await machine.run({ argv: ["cat", NOTE] }, { signal: context.signal });
  const [job = "", come] = (exitCode === 0 ? stdout : "").trim().split(" ");
  return { job, come: STAGES.findIndex((one) => one === come) };
}

/** Another job begins anew, whatever the one before it has left: it may be about another backup. */
async function hasCome(context: StepContext, stage: RestoreStage): Promise<boolean> {
  const { job, come } = await readNote(context);
  return job === context.job.id && come >= STAGES.indexOf(stage);
}

/**
 * Whether an earlier restore got the cluster going again, so that its old database is out of date: what has to be kept now
 * is the one that runs. Asked before this restore notes anything.
 */
export async function wentOnSince(context: StepContext): Promise<boolean> {
  const { job, come } = await readNote(context);
  return job !== "" && job !== context.job.id && come >= STAGES.indexOf("started");
}

export async function noteStage(context: StepContext, stage: RestoreStage): Promise<void> {
  await putText(await machineOf(context), NOTE, `${context.job.id} ${stage}\n`);
}

/** A step after which a machine has come to a stage. Each can be cut off anywhere and be done again. */
export function stagedStep(
  name: string,
  stage: RestoreStage,
  describe: (node: string) => string,
  work: (context: StepContext, machine: RemoteMachine) => Promise<void>,
): Step {
  return {
    name,
    // A control plane that was lost joins when the others are back.
    precheck: async (context) => !(await hasReached(context, "member")) || (await hasCome(context, stage)),
    run: (context) =>
      context.change(context.step.host, describe(context.step.host), async () => {
        const machine = await machineOf(context);
        await machine.run({ argv: ["mkdir", "-p", "-m", "700", RESTORE_FOLDER] }, { signal: context.signal });
        await work(context, machine);
        await noteStage(context, stage);
      }),
  };
}
