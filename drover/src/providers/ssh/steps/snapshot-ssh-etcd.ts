import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { etcdctl } from "../etcd/members.ts";
import { SNAPSHOT_FOLDER } from "../machine-paths.ts";
import { machineOf, versionOfStep, work } from "./on-machine.ts";

/** A snapshot of the database as it is before this job, on a node that runs it. */
export function snapshotSshEtcd(): Step {
  return {
    name: "snapshot-ssh-etcd",
    precheck: async (context) => {
      const [found] = await runAll(await machineOf(context), [{ argv: ["test", "-s", pathFor(context)] }], {
        signal: context.signal,
      });
      return found?.exitCode === 0;
    },
    run: (context) =>
      context.change(context.step.host, `Take a snapshot of etcd on ${context.step.host}`, async () => {
        const machine = await machineOf(context);
        await machine.run({ argv: ["mkdir", "-p", "-m", "700", SNAPSHOT_FOLDER] }, { signal: context.signal });
        // It writes beside the name and renames: what has this name is whole.
        await work(context, etcdctl(context.cluster.spec, "snapshot", "save", pathFor(context)));
        context.log(`It lies in ${pathFor(context)}.`);
      }),
  };
}

/** One for each job: a retry of the same one finds it. */
const pathFor = (context: StepContext): string =>
  `${SNAPSHOT_FOLDER}/before-${versionOfStep(context)}-${context.job.id}.db`;
