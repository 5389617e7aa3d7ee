import { DroverError } from "@drover/contract";
import { fieldsAt, listAt, textAt } from "../../../domain/json-fields.ts";
import { mayRemoveMember } from "../../../domain/quorum.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import type { StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import type { SshHost } from "../host.ts";
import { argvOf } from "../scripts/script.ts";
import { workMark } from "../steps/on-machine.ts";
import { unitOf } from "./k3s-paths.ts";
import { hasDatabase } from "./k3s-snapshot.ts";
import { START_K3S } from "./scripts/start-k3s.ts";

const PAUSE_MS = 1_000;
const ROUNDS = 90;
/** How long k3s may take to see for itself that the member of a forgotten node has to go. */
const ROUNDS_OF_GRACE = 15;
const MEMBER = "node-role.kubernetes.io/etcd";
/** etcd lets no member go before all have been connected for five seconds, as after the restart of one. */
const SETTLE_MS = 10_000;

/**
 * Has the cluster forget a node. With the node, the other servers take its member out of the database: so the majority is
 * asked about first, and a server that still runs is waited for until it is out, as it counts until then. Without a machine
 * nobody is left there to wait for.
 */
export async function forgetK3sNode(
  host: SshHost,
  context: StepContext,
  target: KubernetesTarget,
  name: string,
  machine: RemoteMachine | null,
): Promise<void> {
  const { signal } = context;
  const { kubernetes, timer } = host.parts;
  const path = `/api/v1/nodes/${name}`;
  let node = await kubernetes.get(target, path, signal);
  if (node === null) {
    if (machine === null || (await isOut(host, context, machine, ROUNDS_OF_GRACE))) return;
    node = await comeBack(host, context, target, name, machine);
  }
  if (isMember(node)) {
    await sleep(timer, SETTLE_MS, signal);
    signal.throwIfAborted();
    const nodes = listAt(await kubernetes.get(target, "/api/v1/nodes", signal), "items");
    const members = nodes.filter(isMember).map((one) => ({ name: nameOf(one), healthy: isReady(one) }));
    const verdict = mayRemoveMember(members, name);
    if (!verdict.allowed) throw new DroverError("quorum-at-risk", verdict.message);
  }
  context.log(`The cluster forgets its node ${name}.`);
  await kubernetes.delete(target, path, signal);
  if (!(await comesTrue(host, context, async () => (await kubernetes.get(target, path, signal)) === null))) {
    throw late(`${name} is still a node`);
  }
  if (isMember(node) && machine !== null && !(await isOut(host, context, machine))) {
    throw late(`${name} is still a member of the database`);
  }
}

/**
 * A member whose node is forgotten and that the database did not let go: from its next start on it is a node again, and can
 * be forgotten anew. Whoever took it for gone would take the majority from the others with the next server.
 */
async function comeBack(
  host: SshHost,
  context: StepContext,
  target: KubernetesTarget,
  name: string,
  machine: RemoteMachine,
): Promise<unknown> {
  const { signal } = context;
  context.log(
    `${name} is no node any more, but still a member of the database. It starts anew, to be forgotten properly.`,
  );
  await machine.endMarked(workMark(context));
  const argv = argvOf(START_K3S, unitOf(true));
  await runOrThrow(machine, { argv, mark: workMark(context) }, { signal, tied: true });
  let node: unknown = null;
  const isBack = async () => {
    node = await host.parts.kubernetes.get(target, `/api/v1/nodes/${name}`, signal);
    return node !== null && isMember(node) && isReady(node);
  };
  if (!(await comesTrue(host, context, isBack))) throw late(`${name} has not come back`);
  return node;
}

const isOut = (host: SshHost, context: StepContext, machine: RemoteMachine, rounds = ROUNDS): Promise<boolean> =>
  comesTrue(host, context, async () => !(await hasDatabase(machine, context)), rounds);

const late = (complaint: string): DroverError =>
  new DroverError("step-failed", `${complaint} after ${(ROUNDS * PAUSE_MS) / 1000} s.`);

const nameOf = (node: unknown): string => textAt(node, "metadata", "name") ?? "";
const isMember = (node: unknown): boolean => fieldsAt(node, "metadata", "labels")[MEMBER] === "true";
const isReady = (node: unknown): boolean =>
  listAt(node, "status", "conditions").some(({ type, status }) => type === "Ready" && status === "True");

/** Whether it is so at last. */
async function comesTrue(
  host: SshHost,
  { signal }: StepContext,
  isSo: () => Promise<boolean>,
  rounds = ROUNDS,
): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    if (await isSo()) return true;
    await sleep(host.parts.timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
  return false;
}
