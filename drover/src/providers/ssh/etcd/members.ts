import { type ClusterSpec, DroverError } from "@drover/contract";
import { type Fields, isFields } from "../../../domain/json-fields.ts";
import { type EtcdMember, mayRemoveMember } from "../../../domain/quorum.ts";
import { isCommandError } from "../../../lib/command-error.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import { etcdNodesOf, hasSeparateEtcd } from "../declared.ts";
import type { Seen, SshCluster, SshHost } from "../host.ts";
import type { MachineLook } from "../machine-look.ts";
import { PROGRAM_FOLDER } from "../machine-paths.ts";
import { findRest } from "../rest-of-cluster.ts";
import { MEMBER_PKI } from "./database.ts";

const PKI_OF_KUBEADM = "/etc/kubernetes/pki/etcd";
const HEALTH_DEADLINE_MS = 20_000;
const NOT_YET = /unhealthy cluster|in sync with leader|too many learner/;
const PAUSE_MS = 1_000;
const ROUNDS = 90;

type Call = readonly [string, ...string[]];

/** The call of etcdctl on a node that runs etcd (`etcdNodesOf`), for a database that the certificates there open. */
export function etcdctlAt(endpoint: string, spec: ClusterSpec, ...args: readonly string[]): Call {
  const pki = hasSeparateEtcd(spec) ? MEMBER_PKI : PKI_OF_KUBEADM;
  return [
    ...([`${PROGRAM_FOLDER}/etcdctl`, "--endpoints", endpoint, "--cacert", `${pki}/ca.crt`] as const),
    ...["--cert", `${pki}/server.crt`, "--key", `${pki}/server.key`, ...args],
  ];
}

export const etcdctl = (spec: ClusterSpec, ...args: readonly string[]): Call =>
  etcdctlAt("https://127.0.0.1:2379", spec, ...args);

export interface Member {
  readonly id: string;
  /** Empty until it has started for the first time. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly urls: readonly string[];
  /** It gets the data, and has no vote yet. */
  readonly learner: boolean;
}

type Asking = Pick<StepContext, "signal"> & { readonly cluster: SshCluster };

/** Whether etcd has come into being on a machine of the cluster. */
export const isMemberOf = ({ id, spec }: SshCluster, { mark, etcdMember }: MachineLook): boolean =>
  mark?.clusterId === id && (hasSeparateEtcd(spec) ? etcdMember : mark.stage !== "claimed");

/** A node with etcd that is up and is not the one in question. */
export async function findOtherMember(
  host: SshHost,
  { cluster, signal }: Asking,
  name: string,
): Promise<RemoteMachine | null> {
  const known = new Set((await host.parts.machines.known(cluster.id)).map(({ node }) => node));
  const names = etcdNodesOf(cluster.spec).flatMap((node) =>
    node.name !== name && known.has(node.name) ? [node.name] : [],
  );
  return await findSpeaker(host, { cluster, signal }, await host.seeAll(cluster, names, signal));
}

/** Of the machines that were seen a member that can speak for all; where none can, any of them. */
export async function findSpeaker(
  host: SshHost,
  { cluster, signal }: Asking,
  seen: readonly Seen[],
): Promise<RemoteMachine | null> {
  const members = seen.flatMap((one) => ("look" in one && isMemberOf(cluster, one.look) ? [one.node] : []));
  const machines = await Promise.all(members.map((node) => host.parts.machines.connect(cluster, node)));
  for (const machine of machines) if (await isHealthy(machine, { cluster, signal })) return machine;
  return machines[0] ?? null;
}

/** Whether the member there answers with the word of the majority. */
export async function isHealthy(machine: RemoteMachine, { cluster, signal }: Asking): Promise<boolean> {
  const argv = etcdctl(cluster.spec, "endpoint", "health");
  const [said] = await runAll(machine, [{ argv }], { signal, deadlineMs: HEALTH_DEADLINE_MS });
  return said?.exitCode === 0;
}

export async function listMembers(machine: RemoteMachine, { cluster, signal }: Asking): Promise<readonly Member[]> {
  // In lines, as the ids are larger than numbers of JSON can keep.
  const { stdout } = await runOrThrow(
    machine,
    { argv: etcdctl(cluster.spec, "member", "list") },
    { signal, deadlineMs: HEALTH_DEADLINE_MS },
  );
  return stdout.split("\n").flatMap((line) => {
    const [id = "", , name = "", peers = "", urls = "", learner] = line.split(",").map((part) => part.trim());
    if (id === "") return [];
    return [{ id, name, peerUrls: peers.split(";"), urls: urls.split(";"), learner: learner === "true" }];
  });
}

/** Those who vote, each with whether he answers for himself. */
export async function judgeMembers(
  machine: RemoteMachine,
  { cluster, signal }: Asking,
  members: readonly Member[],
): Promise<readonly EtcdMember[]> {
  const voters = members.filter(({ learner }) => !learner);
  const urls = voters.flatMap((member) => member.urls).filter((url) => url !== "");
  const argv = etcdctl(cluster.spec, "endpoint", "health", "--endpoints", urls.join(","), "-w", "json");
  const { stdout } = await machine.run({ argv }, { signal, deadlineMs: HEALTH_DEADLINE_MS });
  const well = new Set(readList(stdout).flatMap(({ endpoint, health }) => (health === true ? [endpoint] : [])));
  return voters.map((member) => ({ name: member.name, healthy: member.urls.some((url) => well.has(url)) }));
}

/** Has the others forget a member, where the majority allows it. Nothing happens where they do not know it. */
export async function removeMember(host: SshHost, context: StepContext, name: string): Promise<void> {
  const other = await findOtherMember(host, context, name);
  if (other === null) return await assertDatabaseIsGone(host, context, name);
  const members = await listMembers(other, context);
  const gone = members.find((member) => member.name === name);
  if (gone !== undefined) await dropMember(host, context, other, members, gone);
}

/** Where no other member could be asked: one that comes back would count the node that left for ever. */
async function assertDatabaseIsGone(host: SshHost, context: StepContext, name: string): Promise<void> {
  const rest = await findRest(host, context, name);
  if (rest === null) return;
  throw new DroverError(
    "cluster-not-ready",
    `No other member of the database of ${context.cluster.name} can be asked to forget ${name} now. ${rest}`,
  );
}

export async function dropMember(
  host: SshHost,
  context: StepContext,
  other: RemoteMachine,
  members: readonly Member[],
  gone: Member,
): Promise<void> {
  const verdict = gone.learner ? null : mayRemoveMember(await judgeMembers(other, context, members), gone.name);
  if (verdict?.allowed === false) throw new DroverError("quorum-at-risk", verdict.message);
  context.log(`The database forgets its member ${gone.name}.`);
  const argv = etcdctl(context.cluster.spec, "member", "remove", gone.id);
  await patiently(host, context, () => runOrThrow(other, { argv }, { signal: context.signal }));
}

/** The members change nothing about themselves until they have seen each other well for some seconds. */
export async function patiently<T>(host: SshHost, { signal }: StepContext, ask: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round += 1) {
    try {
      return await ask();
    } catch (error) {
      const isSoon = isCommandError(error, "failed") && NOT_YET.test(error.stderr);
      if (!isSoon || round === ROUNDS) throw error;
    }
    await sleep(host.parts.timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}

function readList(text: string): readonly Fields[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isFields) : [];
  } catch {
    return [];
  }
}
