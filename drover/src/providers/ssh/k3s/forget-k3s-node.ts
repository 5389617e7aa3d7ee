import { DroverError } from "@drover/contract";
import { fieldsAt, listAt, textAt } from "../../../domain/json-fields.ts";
import { mayRemoveMember } from "../../../domain/quorum.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import type { StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import type { SshHost } from "../host.ts";
import { hasDatabase } from "./k3s-snapshot.ts";

const PAUSE_MS = 1_000;
const ROUNDS = 90;
const MEMBER = "node-role.kubernetes.io/etcd";

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
  const { kubernetes } = host.parts;
  const nodes = listAt(await kubernetes.get(target, "/api/v1/nodes", signal), "items");
  const node = nodes.find((one) => nameOf(one) === name);
  if (node === undefined) return;
  if (isMember(node)) {
    const members = nodes.filter(isMember).map((one) => ({ name: nameOf(one), healthy: isReady(one) }));
    const verdict = mayRemoveMember(members, name);
    if (!verdict.allowed) throw new DroverError("quorum-at-risk", verdict.message);
  }
  context.log(`The cluster forgets its node ${name}.`);
  const path = `/api/v1/nodes/${name}`;
  await kubernetes.delete(target, path, signal);
  await until(
    host,
    context,
    `${name} is still a node`,
    async () => (await kubernetes.get(target, path, signal)) === null,
  );
  if (isMember(node) && machine !== null) {
    await until(
      host,
      context,
      `${name} is still a member of the database`,
      async () => !(await hasDatabase(machine, context)),
    );
  }
}

const nameOf = (node: unknown): string => textAt(node, "metadata", "name") ?? "";
const isMember = (node: unknown): boolean => fieldsAt(node, "metadata", "labels")[MEMBER] === "true";
const isReady = (node: unknown): boolean =>
  listAt(node, "status", "conditions").some(({ type, status }) => type === "Ready" && status === "True");

async function until(
  host: SshHost,
  { signal }: StepContext,
  complaint: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await isSo()) return;
    await sleep(host.parts.timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
  throw new DroverError("step-failed", `${complaint} after ${(ROUNDS * PAUSE_MS) / 1000} s.`);
}
