import { DroverError } from "@drover/contract";
import { fieldsAt } from "../../domain/json-fields.ts";
import { isCommandError } from "../../lib/command-error.ts";
import { runOrThrow } from "../../ports/connector.ts";
import { asMachine, type RemoteMachine } from "../../ports/machines.ts";
import type { StepContext } from "../../ports/step.ts";
import { openArtifacts } from "./artifacts.ts";
import { etcdNodesOf, versionOf } from "./declared.ts";
import { etcdctl, isMemberOf } from "./etcd/members.ts";
import type { SshHost } from "./host.ts";
import { PROGRAM_FOLDER } from "./machine-paths.ts";
import { argvOf, type Script } from "./scripts/script.ts";

export const ETCDUTL = `${PROGRAM_FOLDER}/etcdutl`;
const HEALTH_MS = 10_000;

/** A node with etcd whose database answers, which it does only with a majority. */
export async function findHealthyMember(
  host: SshHost,
  context: StepContext,
  isWell: (machine: RemoteMachine, context: StepContext) => Promise<boolean> = isEtcdHealthy,
): Promise<string> {
  const { cluster, signal } = context;
  const names = etcdNodesOf(cluster.spec).map(({ name }) => name);
  const said: string[] = [];
  for (const one of await host.seeAll(cluster, names, signal)) {
    if ("unreachable" in one) {
      said.push(one.unreachable);
    } else if (!isMemberOf(cluster, one.look)) {
      said.push(`${one.node} is no member of it yet.`);
    } else if (await isWell(asMachine(await context.connect(one.node)), context)) {
      return one.node;
    } else {
      said.push(`The database on ${one.node} does not answer.`);
    }
  }
  throw new DroverError("cluster-not-ready", `The database of ${cluster.name} cannot be asked: ${said.join(" ")}`);
}

export async function isEtcdHealthy(
  machine: RemoteMachine,
  { cluster, signal }: StepContext,
  call: typeof etcdctl = etcdctl,
): Promise<boolean> {
  return await succeeds(machine, call(cluster.spec, "endpoint", "health"), signal);
}

/** One that does not answer in time has not succeeded. */
export async function succeeds(
  machine: RemoteMachine,
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await machine.run({ argv }, { signal, deadlineMs: HEALTH_MS })).exitCode === 0;
  } catch (error) {
    if (isCommandError(error, "timed-out")) return false;
    throw error;
  }
}

/** Clusters from before it was among the programs of a control plane do without it until it is needed. */
export async function ensureEtcdutl(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<void> {
  const { cluster, signal } = context;
  const { exitCode } = await machine.run({ argv: ["test", "-x", ETCDUTL] }, { signal });
  if (exitCode === 0) return;
  const artifacts = await openArtifacts(host, context);
  const artifact = artifacts.require(`${versionOf(cluster.spec)}/bin/etcdutl`);
  await machine.sendFile(await artifacts.at(artifact), ETCDUTL, { mode: 0o755, sha256: artifact.sha256, signal });
}

export interface SnapshotStatus {
  readonly hash: number;
  readonly revision: number;
  readonly keys: number;
}

export async function readSnapshotStatus(
  machine: RemoteMachine,
  path: string,
  { signal }: StepContext,
): Promise<SnapshotStatus> {
  const argv = [ETCDUTL, "snapshot", "status", path, "-w", "json"] as const;
  const { stdout } = await runOrThrow(machine, { argv }, { signal });
  const { hash, revision, totalKey } = fieldsAt(JSON.parse(stdout));
  if (typeof hash !== "number" || typeof revision !== "number" || typeof totalKey !== "number") {
    throw new DroverError("step-failed", `etcdutl on ${machine.host} says nothing of use about ${path}.`);
  }
  return { hash, revision, keys: totalKey };
}

/** Arguments: a revision, then the call of etcdctl. Says how many objects of each resource there are. */
const COUNT_OBJECTS: Script = {
  name: "drover-count-objects",
  text: `set -eu
revision=$1; shift
"$@" get /registry/ --prefix --keys-only --rev "$revision" | awk -F/ '
  NF > 3 { name = $3; if (index($3, ".") > 0) name = $4 "." $3; count[name]++ }
  END { for (name in count) print name, count[name] }'
`,
};

export async function countObjects(
  machine: RemoteMachine,
  call: readonly string[],
  revision: number,
  { signal }: StepContext,
): Promise<Readonly<Record<string, number>>> {
  const argv = argvOf(COUNT_OBJECTS, String(revision), ...call);
  const { stdout } = await runOrThrow(machine, { argv }, { signal, keepBytes: 1 << 20 });
  const counts = stdout.split("\n").flatMap((line) => {
    const [name, count] = line.split(" ");
    return name && count ? [[name, Number(count)] as const] : [];
  });
  // The awk behind the pipe succeeds whatever was before it; every cluster has objects.
  if (counts.length === 0) throw new DroverError("step-failed", `${machine.host} lists no objects of the database.`);
  return Object.fromEntries(counts.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export interface EtcdManifest {
  readonly name: string;
  readonly peerUrl: string;
  readonly dataDirectory: string;
  readonly image: string;
}

/** How a member of the database was started, as kubeadm wrote it down. */
export function readEtcdManifest(text: string): EtcdManifest | null {
  const name = /--name=(\S+)/.exec(text)?.[1];
  const peerUrl = /--initial-advertise-peer-urls=(\S+)/.exec(text)?.[1];
  const dataDirectory = /--data-dir=(\S+)/.exec(text)?.[1];
  const image = /image: (\S+)/.exec(text)?.[1];
  if (!name || !peerUrl || !dataDirectory || !image) return null;
  return { name, peerUrl, dataDirectory, image };
}
