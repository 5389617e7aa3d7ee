import type { Step, StepContext } from "../../../../ports/step.ts";
import type { SshHost } from "../../host.ts";
import { keepState } from "../../keep-state.ts";
import { SNAPSHOT_FOLDER } from "../../machine-paths.ts";
import { putText } from "../../steps/on-machine.ts";
import { findSnapshot, hasDatabase, saveSnapshot } from "../k3s-snapshot.ts";

/** With k3s itself. */
export function keepK3sState(host: SshHost): Step {
  return keepState(host, {
    name: "keep-k3s-state",
    isWell: hasDatabase,
    isKept: async (machine, context) =>
      (await findSnapshot(context, machine, SNAPSHOT_FOLDER, nameFor(context))) !== null,
    keep: (machine, context) => saveSnapshot(context, machine, SNAPSHOT_FOLDER, nameFor(context)),
    noteNone: async (machine, context) => {
      await machine.run({ argv: ["mkdir", "-p", "-m", "700", SNAPSHOT_FOLDER] }, { signal: context.signal });
      await putText(machine, `${SNAPSHOT_FOLDER}/${nameFor(context)}-none`, "The database did not answer.\n");
    },
  });
}

const nameFor = ({ job }: StepContext): string => `before-restore-${job.id}`;
