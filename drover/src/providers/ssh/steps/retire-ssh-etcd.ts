import type { Step, StepContext } from "../../../ports/step.ts";
import { dataOf } from "../etcd/database.ts";
import { removeMember } from "../etcd/members.ts";
import { STARTED_WITH } from "../etcd/run-database.ts";
import { END_DATABASE } from "../etcd/scripts.ts";
import type { SshHost } from "../host.ts";
import { ETCD_FOLDER, ETCD_NOTE, ETCD_UNIT, ETCD_UNIT_PATH } from "../machine-paths.ts";
import { lookFor, runScript } from "./on-machine.ts";

/** A node that stays, and is no member of the database any more. */
export function retireSshEtcd(host: SshHost): Step {
  return {
    name: "retire-ssh-etcd",
    precheck: async (context) => !(await lookFor(context)).etcdMember,
    run: (context) => {
      const { step, cluster } = context;
      return context.change(step.host, `End etcd of ${cluster.name} on ${step.host}`, () => retire(host, context));
    },
  };
}

/** The others forget it first, if the majority allows; the note goes last. */
async function retire(host: SshHost, context: StepContext): Promise<void> {
  await removeMember(host, context, context.step.host);
  const kept = [ETCD_FOLDER, STARTED_WITH, ETCD_NOTE];
  await runScript(context, END_DATABASE, ETCD_UNIT, ETCD_UNIT_PATH, dataOf(context.cluster.spec), ...kept);
}
