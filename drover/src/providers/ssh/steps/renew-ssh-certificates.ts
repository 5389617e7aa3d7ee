import { X509Certificate } from "node:crypto";
import { waitForNodes } from "../../../containers/wait-for-nodes.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { hasSeparateEtcd } from "../declared.ts";
import { isEtcdHealthy } from "../etcd-on-machine.ts";
import { explainKubeadm } from "../failures.ts";
import type { SshHost } from "../host.ts";
import { answersHere } from "../local-api.ts";
import { ADMIN_CONFIG, PROGRAM_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { START_COMPONENTS, STOP_COMPONENTS } from "../scripts/control-plane.ts";
import { argvOf } from "../scripts/script.ts";
import { machineOf, putText, runScript, work } from "./on-machine.ts";

/** Where the manifest of a component lies while it is stopped. */
const ASIDE = `${STATE_FOLDER}/renewal`;
/** The job whose certificates all components here run with. */
const NOTE = `${STATE_FOLDER}/renewed`;
/** The job that last made certificates here, and whether those before them had expired. */
const ISSUED = `${STATE_FOLDER}/issued`;
/** Without these nobody here can ask the database or the API. */
const NEEDED = ["etcd/server", "etcd/peer", "apiserver", "apiserver-etcd-client"].map(
  (name) => `/etc/kubernetes/pki/${name}.crt`,
);
/**
 * Programs that read their certificates when they start, in the order in which they need each other. A database apart
 * from the API servers has certificates of its own, of which kubeadm here knows nothing.
 */
const componentsOf = ({ cluster }: StepContext): readonly string[] => [
  ...(hasSeparateEtcd(cluster.spec) ? [] : ["etcd"]),
  ...["kube-apiserver", "kube-controller-manager", "kube-scheduler"],
];

/**
 * New certificates of one control plane by the same authorities. Nothing is waited for: where the old ones have expired,
 * nothing becomes well before all control planes have new ones.
 */
export function issueSshCertificates(host: SshHost): Step {
  return {
    name: "issue-ssh-certificates",
    precheck: async (context) => (await readNotes(context)).issuedBy === context.job.id,
    run: (context) =>
      context.change(context.step.host, `Renew the certificates on ${context.step.host}`, () => issue(host, context)),
  };
}

async function issue(host: SshHost, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  const { issuedBy, renewedBy, expired } = await readNotes(context);
  const isUnfinished = expired && issuedBy !== renewedBy;
  const state = isUnfinished || (await haveExpired(host, context, machine)) ? "expired" : "valid";
  await bringBack(host, context, machine, state === "expired");
  // Before they are made: whoever comes by again no longer sees how they were.
  await putText(machine, ISSUED, ` ${state}`);
  await work(context, [`${PROGRAM_FOLDER}/kubeadm`, "certs", "renew", "all"]).catch((error: unknown) => {
    throw explainKubeadm(context.step.host, error);
  });
  await putText(machine, ISSUED, `${context.job.id} ${state}`);
}

/** Starts every component of one control plane with the certificates that lie there. */
export function renewSshCertificates(host: SshHost): Step {
  return {
    name: "renew-ssh-certificates",
    precheck: async (context) => (await readNotes(context)).renewedBy === context.job.id,
    run: (context) => {
      const { host: node } = context.step;
      return context.change(node, `Restart the components on ${node} one by one with new certificates`, async () => {
        await renew(host, context);
        await putText(await machineOf(context), NOTE, context.job.id);
      });
    },
  };
}

async function readNotes(context: StepContext) {
  const [issued, renewed] = await runAll(
    await machineOf(context),
    [{ argv: ["cat", ISSUED] }, { argv: ["cat", NOTE] }],
    { signal: context.signal },
  );
  const [issuedBy = "", state = ""] = (issued?.stdout ?? "").split(" ");
  return { issuedBy, expired: state === "expired", renewedBy: (renewed?.stdout ?? "").trim() };
}

async function haveExpired(host: SshHost, { signal }: StepContext, machine: RemoteMachine): Promise<boolean> {
  const files = await runAll(
    machine,
    [...NEEDED, ADMIN_CONFIG].map((path) => ({ argv: ["cat", path] as [string, string] })),
    { signal },
  );
  const texts = files.map((file) => file?.stdout ?? "");
  const [, client = ""] = /client-certificate-data: *(\S+)/.exec(texts.at(-1) ?? "") ?? [];
  const now = host.parts.clock.now();
  return [...texts.slice(0, -1), Buffer.from(client, "base64").toString()].some((pem) => endOf(pem) < now);
}

/** One that cannot be read, such as of a database apart, says nothing. */
function endOf(pem: string): number {
  try {
    return Date.parse(new X509Certificate(pem).validTo);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** What a renewal that was cut off has stopped comes back first: kubeadm asks the API, where that can answer. */
async function bringBack(host: SshHost, context: StepContext, machine: RemoteMachine, expired: boolean): Promise<void> {
  const { exitCode } = await machine.run({ argv: ["test", "-e", ASIDE] }, { signal: context.signal });
  if (exitCode !== 0) return;
  await runScript(context, START_COMPONENTS, ASIDE, ...componentsOf(context));
  if (!expired) await waitUntilWell(host, context, machine, { withApi: true });
}

async function renew(host: SshHost, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  // A plan from before this was a step of its own has none.
  if ((await readNotes(context)).issuedBy !== context.job.id) await issue(host, context);
  const { expired } = await readNotes(context);
  await bringBack(host, context, machine, expired);
  // With expired ones nothing is well before it has started anew.
  if (!expired) await waitUntilWell(host, context, machine, { withApi: true });
  for (const component of componentsOf(context)) {
    context.log(`Restarting ${component}.`);
    await work(context, argvOf(STOP_COMPONENTS, ASIDE, component));
    await runScript(context, START_COMPONENTS, ASIDE, component);
    await waitUntilRuns(host, context, machine, component);
    // An API server that has started with expired certificates may not get on with a database that has new ones.
    await waitUntilWell(host, context, machine, { withApi: !expired || component !== "etcd" });
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
async function waitUntilWell(
  host: SshHost,
  context: StepContext,
  machine: RemoteMachine,
  { withApi }: { readonly withApi: boolean },
): Promise<void> {
  const isHere = !hasSeparateEtcd(context.cluster.spec);
  const find = async () => {
    if (isHere && !(await isEtcdHealthy(machine, context))) return "The database does not answer yet.";
    return !withApi || (await answersHere(machine, context)) ? null : "The API does not answer yet.";
  };
  await waitForNodes(find, context, host.parts.timer);
}
