import type { Step, StepContext } from "../../../../ports/step.ts";
import { SNAPSHOT_FOLDER } from "../../machine-paths.ts";
import { machineOf, versionOfStep } from "../../steps/on-machine.ts";
import { findSnapshot, saveSnapshot } from "../k3s-snapshot.ts";

/** A snapshot of the database as it is before this job, on the server itself. */
export function snapshotK3sEtcd(): Step {
  return {
    name: "snapshot-k3s-etcd",
    precheck: async (context) =>
      (await findSnapshot(context, await machineOf(context), SNAPSHOT_FOLDER, nameFor(context))) !== null,
    run: (context) =>
      context.change(context.step.host, `Take a snapshot of etcd on ${context.step.host}`, async () => {
        const path = await saveSnapshot(context, await machineOf(context), SNAPSHOT_FOLDER, nameFor(context));
        context.log(`It lies in ${path}.`);
      }),
  };
}

/** One for each job: a retry of the same one finds it. */
const nameFor = (context: StepContext): string =>
  `before-${versionOfStep(context).replace("+", "-")}-${context.job.id}`;
