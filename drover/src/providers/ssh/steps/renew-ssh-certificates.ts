import { waitForNodes } from "../../../containers/wait-for-nodes.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { hasSeparateEtcd } from "../declared.ts";
import { isEtcdHealthy } from "../etcd-on-machine.ts";
import { explainKubeadm } from "../failures.ts";
import type { SshHost } from "../host.ts";
import { answersHere } from "../local-api.ts";
import { PROGRAM_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { START_COMPONENTS, STOP_COMPONENTS } from "../scripts/control-plane.ts";
import { argvOf } from "../scripts/script.ts";
import { machineOf, putText, runScript, work } from "./on-machine.ts";

/** Where the manifest of a component lies while it is stopped. */
const ASIDE = `${STATE_FOLDER}/renewal`;
/** The job that last renewed the certificates here. */
const NOTE = `${STATE_FOLDER}/renewed`;
/**
 * Programs that read their certificates when they start, in the order in which they need each other. A database apart
 * from the API servers has certificates of its own, of which kubeadm here knows nothing.
 */
const componentsOf = ({ cluster }: StepContext): readonly string[] => [
  ...(hasSeparateEtcd(cluster.spec) ? [] : ["etcd"]),
  ...["kube-apiserver", "kube-controller-manager", "kube-scheduler"],
];

/** New certificates of one control plane by the same authorities, and every component started with them. */
export function renewSshCertificates(host: SshHost): Step {
  return {
    name: "renew-ssh-certificates",
    precheck: async (context) => {
      const machine = await machineOf(context);
      const { stdout } = await machine.run({ argv: ["cat", NOTE] }, { signal: context.signal });
      return stdout.trim() === context.job.id;
    },
    run: (context) => {
      const { host: node } = context.step;
      return context.change(
        node,
        `Renew the certificates on ${node}, and restart its components one by one`,
        async () => {
          await renew(host, context);
          await putText(await machineOf(context), NOTE, context.job.id);
        },
      );
    },
  };
}

async function renew(host: SshHost, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  // What a renewal that was cut off has stopped comes back first: kubeadm asks the API.
  await runScript(context, START_COMPONENTS, ASIDE, ...componentsOf(context));
  await waitUntilWell(host, context, machine);
  await work(context, [`${PROGRAM_FOLDER}/kubeadm`, "certs", "renew", "all"]).catch((error: unknown) => {
    throw explainKubeadm(context.step.host, error);
  });
  for (const component of componentsOf(context)) {
    context.log(`Restarting ${component}.`);
    await work(context, argvOf(STOP_COMPONENTS, ASIDE, component));
    await runScript(context, START_COMPONENTS, ASIDE, component);
    await waitUntilRuns(host, context, machine, component);
    await waitUntilWell(host, context, machine);
  }
  await machine.run({ argv: ["rm", "-rf", ASIDE] }, { signal: context.signal });
}

async function waitUntilRuns(
  host: SshHost,
  context: StepContext,
  machine: RemoteMachine,
  component: string,
): Promise<void> {
  const argv = ["crictl", "ps", "-q", "--name", `^${component}$`] as const;
  const find = async () => {
    const { stdout } = await machine.run({ argv }, { signal: context.signal });
    return stdout.trim() === "" ? `${component} does not run yet.` : null;
  };
  await waitForNodes(find, context, host.parts.timer);
}

/** An API server that is ready has asked its database, wherever that is. */
async function waitUntilWell(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<void> {
  const isHere = !hasSeparateEtcd(context.cluster.spec);
  const find = async () => {
    if (isHere && !(await isEtcdHealthy(machine, context))) return "The database does not answer yet.";
    return (await answersHere(machine, context)) ? null : "The API does not answer yet.";
  };
  await waitForNodes(find, context, host.parts.timer);
}
