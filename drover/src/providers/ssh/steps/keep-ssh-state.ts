import type { Step, StepContext } from "../../../ports/step.ts";
import { etcdctl } from "../etcd/members.ts";
import { isEtcdHealthy } from "../etcd-on-machine.ts";
import { SNAPSHOT_FOLDER } from "../machine-paths.ts";
import { hasReached } from "./member.ts";
import { machineOf, putText, work } from "./on-machine.ts";

/** A snapshot of what a restore is about to replace, where the database still answers. */
export function keepSshState(): Step {
  return {
    name: "keep-ssh-state",
    precheck: async (context) => {
      if (!(await hasReached(context, "member"))) return true;
      const machine = await machineOf(context);
      const { exitCode } = await machine.run({ argv: ["test", "-s", pathOf(context)] }, { signal: context.signal });
      return exitCode === 0;
    },
    run: (context) =>
      context.change(context.step.host, `Keep what is on ${context.step.host} now`, async () => {
        const machine = await machineOf(context);
        await machine.run({ argv: ["mkdir", "-p", "-m", "700", SNAPSHOT_FOLDER] }, { signal: context.signal });
        if (await isEtcdHealthy(machine, context)) {
          await work(context, etcdctl(context.cluster.spec, "snapshot", "save", pathOf(context)));
          context.log(`What was there before lies in ${pathOf(context)} on ${context.step.host}.`);
          return;
        }
        context.log("The database does not answer: there is nothing to keep but its files, which stay until the end.");
        await putText(machine, pathOf(context), "The database did not answer.\n");
      }),
  };
}

const pathOf = ({ job }: StepContext): string => `${SNAPSHOT_FOLDER}/before-restore-${job.id}.db`;
