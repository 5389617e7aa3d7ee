import { createHash, randomBytes, X509Certificate } from "node:crypto";
import { DroverError } from "@drover/contract";
import { runOrThrow } from "../../../ports/connector.ts";
import { asMachine, type RemoteMachine } from "../../../ports/machines.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { controlPlanesOf, isControlPlane, nodeNamed, versionOf } from "../declared.ts";
import { putKeys } from "../encryption/keys-on-machine.ts";
import { explainKubeadm } from "../failures.ts";
import { forgetNode } from "../forget-node.ts";
import type { SshHost } from "../host.ts";
import { type JoinTicket, joinConfig, shareConfig } from "../kubeadm-config.ts";
import { ADMIN_CONFIG, KUBEADM_CONFIG, PROGRAM_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { noteSettings } from "./configure-ssh-control-plane.ts";
import { becomeMember, clearAttempt, hasReached } from "./member.ts";
import { machineOf, putText, work } from "./on-machine.ts";

/** Long enough for one join, however slow the machine is. */
const TOKEN = ["token", "create", "--ttl", "30m", "--description", "drover: one join"];

/** A machine becomes a node. Token and key live for this join alone. */
export function joinSshNode(host: SshHost): Step {
  return {
    name: "join-ssh-node",
    precheck: (context) => hasReached(context, "member"),
    run: (context) => {
      const { step, cluster } = context;
      return context.change(step.host, `Let ${step.host} join ${cluster.name}`, () => join(host, context));
    },
  };
}

async function join(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step } = context;
  const node = nodeNamed(cluster.spec, step.host);
  await clearAttempt(context);
  await forgetNode(host, context, step.host);
  if (isControlPlane(node)) await putKeys(context);
  const ticket = await askForTicket(host, context, isControlPlane(node));
  context.mask(ticket.token);
  if (ticket.certificateKey !== null) context.mask(ticket.certificateKey);
  await putText(await machineOf(context), KUBEADM_CONFIG, joinConfig(cluster.spec, node, ticket));
  await work(context, [`${PROGRAM_FOLDER}/kubeadm`, "join", "--config", KUBEADM_CONFIG]).catch((error: unknown) => {
    throw explainKubeadm(step.host, error);
  });
  await (await machineOf(context)).run({ argv: ["rm", "-f", KUBEADM_CONFIG] }, { signal: context.signal });
  if (isControlPlane(node)) await noteSettings(context);
  await becomeMember(context, versionOf(cluster.spec));
}

const UPLOAD_CONFIG = `${STATE_FOLDER}/share-certificates.yaml`;
const AUTHORITY = "/etc/kubernetes/pki/ca.crt";

async function askForTicket(host: SshHost, context: StepContext, controlPlane: boolean): Promise<JoinTicket> {
  const { signal } = context;
  const member = await findMember(host, context);
  const [authority, token] = await Promise.all([
    member.get(AUTHORITY),
    runOrThrow(member, { argv: ["kubeadm", ...TOKEN], environment: { KUBECONFIG: ADMIN_CONFIG } }, { signal }),
  ]);
  const key = new X509Certificate(authority).publicKey.export({ type: "spki", format: "der" });
  const caHash = `sha256:${createHash("sha256").update(key).digest("hex")}`;
  const certificateKey = controlPlane ? await shareCertificates(context, member) : null;
  return { token: token.stdout.trim(), caHash, certificateKey };
}

/** Puts the authorities of the cluster into it, sealed with a new key, for a control plane to take out again. */
async function shareCertificates(context: StepContext, member: RemoteMachine): Promise<string> {
  const key = randomBytes(32).toString("hex");
  context.mask(key);
  await putText(member, UPLOAD_CONFIG, shareConfig(context.cluster.spec, key));
  const argv = ["kubeadm", "init", "phase", "upload-certs", "--upload-certs", "--config", UPLOAD_CONFIG] as const;
  await runOrThrow(member, { argv }, { signal: context.signal });
  await member.run({ argv: ["rm", "-f", UPLOAD_CONFIG] }, { signal: context.signal });
  return key;
}

/** A control plane that is up, to ask for a ticket. */
export async function findMember(host: SshHost, context: StepContext): Promise<RemoteMachine> {
  const found = await findControlPlane(host, context);
  if (found !== null) return found;
  const { cluster, step } = context;
  throw new DroverError("cluster-not-ready", `No control plane of ${cluster.name} can let ${step.host} in now.`);
}

/** Another than the host of the step, where that is one. */
export async function findControlPlane(host: SshHost, context: StepContext): Promise<RemoteMachine | null> {
  const { cluster, step, signal } = context;
  const names = controlPlanesOf(cluster.spec).flatMap(({ name }) => (name === step.host ? [] : [name]));
  for (const one of await host.seeAll(cluster, names, signal)) {
    const isMember = "look" in one && one.look.mark?.clusterId === cluster.id && one.look.mark.stage !== "claimed";
    if (isMember && one.look.adminConfig !== null) return asMachine(await context.connect(one.node));
  }
  return null;
}
