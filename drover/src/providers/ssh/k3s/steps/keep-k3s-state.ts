import type { Step, StepContext } from "../../../../ports/step.ts";
import { SNAPSHOT_FOLDER } from "../../machine-paths.ts";
import { hasReached } from "../../steps/member.ts";
import { machineOf, putText } from "../../steps/on-machine.ts";
import { findSnapshot, hasDatabase, saveSnapshot } from "../k3s-snapshot.ts";

/** A snapshot of what a restore is about to replace, where the database still answers. */
export function keepK3sState(): Step {
  return {
    name: "keep-k3s-state",
    precheck: async (context) =>
      !(await hasReached(context, "member")) ||
      (await findSnapshot(context, await machineOf(context), SNAPSHOT_FOLDER, nameFor(context))) !== null,
    run: (context) =>
      context.change(context.step.host, `Keep what is on ${context.step.host} now`, async () => {
        const machine = await machineOf(context);
        if (await hasDatabase(machine, context)) {
          const path = await saveSnapshot(context, machine, SNAPSHOT_FOLDER, nameFor(context));
          context.log(`What was there before lies in ${path} on ${context.step.host}.`);
          return;
        }
        context.log("The database does not answer: there is nothing to keep but its files, which stay until the end.");
        await machine.run({ argv: ["mkdir", "-p", "-m", "700", SNAPSHOT_FOLDER] }, { signal: context.signal });
        await putText(machine, `${SNAPSHOT_FOLDER}/${nameFor(context)}-none`, "The database did not answer.\n");
      }),
  };
}

const nameFor = ({ job }: StepContext): string => `before-restore-${job.id}`;
