import { DroverError } from "@drover/contract";
import { asMachine, type RemoteMachine } from "../../ports/machines.ts";
import type { Step, StepContext } from "../../ports/step.ts";
import { etcdNodesOf } from "./declared.ts";
import { isMemberOf } from "./etcd/members.ts";
import { findHealthyMember } from "./etcd-on-machine.ts";
import type { SshHost } from "./host.ts";

/** How a snapshot of now is kept on a member. */
export interface StateKeeper {
  readonly name: string;
  readonly isWell: (machine: RemoteMachine, context: StepContext) => Promise<boolean>;
  readonly isKept: (machine: RemoteMachine, context: StepContext) => Promise<boolean>;
  /** On the machine of the step; answers where it lies. */
  readonly keep: (machine: RemoteMachine, context: StepContext) => Promise<string>;
  /** So that nobody tries again half way through a restore, when it would be a snapshot of something else. */
  readonly noteNone: (machine: RemoteMachine, context: StepContext) => Promise<void>;
}

/** A snapshot of what a restore is about to replace, on any member whose database still answers. */
export function keepState(host: SshHost, keeper: StateKeeper): Step {
  return {
    name: keeper.name,
    precheck: async (context) => {
      const members = await findMembers(host, context);
      for (const node of members) {
        if (await keeper.isKept(asMachine(await context.connect(node)), context)) return true;
      }
      return members.length === 0;
    },
    run: (context) =>
      context.change(context.step.host, "Keep what is there now", async () => {
        const node = await findWell(host, context, keeper);
        if (node !== null) {
          const at: StepContext = { ...context, step: { ...context.step, host: node } };
          const path = await keeper.keep(asMachine(await context.connect(node)), at);
          context.log(`What was there before lies in ${path} on ${node}.`);
          return;
        }
        context.log("The database does not answer: there is nothing to keep but its files, which stay until the end.");
        for (const member of await findMembers(host, context)) {
          await keeper.noteNone(asMachine(await context.connect(member)), context);
        }
      }),
  };
}

/** Those that answer; one that does not holds the restore up elsewhere. */
async function findMembers(host: SshHost, { cluster, signal }: StepContext): Promise<readonly string[]> {
  const names = etcdNodesOf(cluster.spec).map(({ name }) => name);
  const seen = await host.seeAll(cluster, names, signal);
  return seen.flatMap((one) => ("look" in one && isMemberOf(cluster, one.look) ? [one.node] : []));
}

async function findWell(host: SshHost, context: StepContext, { isWell }: StateKeeper): Promise<string | null> {
  try {
    return await findHealthyMember(host, context, isWell);
  } catch (error) {
    if (error instanceof DroverError && error.code === "cluster-not-ready") return null;
    throw error;
  }
}
