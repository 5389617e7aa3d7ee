import type { Step, StepContext } from "../../../../ports/step.ts";
import type { SshHost } from "../../host.ts";
import { assertNoneLeft, assertNoOther } from "../../steps/init-ssh-control-plane.ts";
import { hasReached } from "../../steps/member.ts";
import { answersItself, becomeK3sMember, beginUnit, clearK3sAttempt, makeToken } from "../k3s-unit.ts";

/** The first server, out of nothing, with embedded etcd. Once a machine is a member this is never done to it again. */
export function startK3sServer(host: SshHost): Step {
  return {
    name: "start-k3s-server",
    precheck: (context) => hasReached(context, "member"),
    run: (context) => {
      const { step, cluster } = context;
      const text = `Make ${step.host} the first server of ${cluster.name}`;
      return context.change(step.host, text, () => start(host, context));
    },
    verify: async (context) => (await hasReached(context, "member")) && (await answersItself(context)),
  };
}

async function start(host: SshHost, context: StepContext): Promise<void> {
  await assertNoOther(host, context);
  await assertNoneLeft(host, context);
  await clearK3sAttempt(context);
  await beginUnit(context, makeToken(context), null);
  await becomeK3sMember(context);
}
