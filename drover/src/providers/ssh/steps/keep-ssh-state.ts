import type { Step, StepContext } from "../../../ports/step.ts";
import { etcdctl } from "../etcd/members.ts";
import { isEtcdHealthy } from "../etcd-on-machine.ts";
import type { SshHost } from "../host.ts";
import { keepState } from "../keep-state.ts";
import { SNAPSHOT_FOLDER } from "../machine-paths.ts";
import { putText, work } from "./on-machine.ts";

const makeFolder = ["mkdir", "-p", "-m", "700", SNAPSHOT_FOLDER] as const;

/** With etcdctl. */
export function keepSshState(host: SshHost): Step {
  return keepState(host, {
    name: "keep-ssh-state",
    isWell: (machine, context) => isEtcdHealthy(machine, context),
    isKept: async (machine, context) => {
      const { exitCode } = await machine.run({ argv: ["test", "-s", pathOf(context)] }, { signal: context.signal });
      return exitCode === 0;
    },
    keep: async (machine, context) => {
      await machine.run({ argv: makeFolder }, { signal: context.signal });
      await work(context, etcdctl(context.cluster.spec, "snapshot", "save", pathOf(context)));
      return pathOf(context);
    },
    noteNone: async (machine, context) => {
      await machine.run({ argv: makeFolder }, { signal: context.signal });
      await putText(machine, pathOf(context), "The database did not answer.\n");
    },
  });
}

const pathOf = ({ job }: StepContext): string => `${SNAPSHOT_FOLDER}/before-restore-${job.id}.db`;
