import { DroverError } from "@drover/contract";
import { readCredential } from "../../../containers/read-secret.ts";
import type { RegistryCredential } from "../../../containers/registry-mirrors.ts";
import { listAt } from "../../../domain/json-fields.ts";
import { sha256 } from "../../../lib/sha256.ts";
import { KubernetesError } from "../../../ports/kubernetes-api.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import { openArtifacts } from "../artifacts.ts";
import { pauseImageOf } from "../bill-of-materials.ts";
import { isControlPlane, nodeNamed, sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";
import {
  isForContainerd,
  isForKubelet,
  isMirror,
  type MachineFile,
  machineFiles,
  PROXY_FILE,
} from "../machine-files.ts";
import { MODULES, STATE_FOLDER, SYSCTL_FILE, SYSCTLS } from "../machine-paths.ts";
import { APPLY_SETTINGS, DROP_FILES } from "../scripts/apply-settings.ts";
import { NOTE_AS_FOUND } from "../scripts/note-as-found.ts";
import { argvOf } from "../scripts/script.ts";
import { hasReached } from "./member.ts";
import { machineOf, putText, runScript, versionOfStep } from "./on-machine.ts";

/** Which configuration containerd was last started with, and which the kubelet. */
const STARTED_WITH = `${STATE_FOLDER}/containerd-started-with`;
const KUBELET_STARTED_WITH = `${STATE_FOLDER}/kubelet-started-with`;
/** The files of mirrors that we have written. */
const MIRRORS = `${STATE_FOLDER}/registry-mirrors`;
const PAUSE_MS = 1_000;
const ROUNDS = 120;

/** Kernel, containerd and the kubelet's unit, as a node needs them. */
export function prepareSshMachine(host: SshHost): Step {
  return {
    name: "prepare-ssh-machine",
    precheck: async (context) => await isPrepared(context, await findWanted(host, context)),
    run: (context) =>
      context.change(context.step.host, `Prepare ${context.step.host}: kernel settings, containerd, kubelet`, () =>
        prepare(host, context),
      ),
  };
}

interface Wanted {
  readonly files: readonly MachineFile[];
  /** Mirrors that lie there because of us, whether declared or not. */
  readonly mirrors: readonly string[];
}

async function findWanted(host: SshHost, context: StepContext): Promise<Wanted> {
  const { spec } = context.cluster;
  const pauseImage = await pauseImageOf(await openArtifacts(host, context), versionOfStep(context));
  const [containerd, proxy, mirrors] = await runAll(
    await machineOf(context),
    [{ argv: ["containerd", "--version"] }, { argv: ["test", "-e", PROXY_FILE] }, { argv: ["cat", MIRRORS] }],
    { signal: context.signal },
  );
  const files = machineFiles(spec, {
    pauseImage,
    controlPlane: isControlPlane(nodeNamed(spec, context.step.host)),
    containerdMajor: majorIn(containerd?.stdout ?? "", context.step.host),
    hadProxy: proxy?.exitCode === 0,
    credentials: await readCredentials(context),
  });
  return { files, mirrors: (mirrors?.stdout ?? "").split("\n").filter((line) => line !== "") };
}

async function readCredentials(context: StepContext): Promise<ReadonlyMap<string, RegistryCredential>> {
  const found = new Map<string, RegistryCredential>();
  for (const { host, credential } of sshPart(context.cluster.spec).registryMirrors ?? [])
    if (credential !== undefined) found.set(host, await readCredential(context, credential));
  return found;
}

function majorIn(said: string, node: string): number {
  const major = /\s v?(\d+)\.\d+/.exec(said)?.[1] ?? /v?(\d+)\.\d+\.\d+/.exec(said)?.[1];
  if (major !== undefined) return Number(major);
  throw new DroverError(
    "program-missing",
    `containerd is not installed on ${node}. Install it there, or bring it with the artifacts.`,
  );
}

const pathsOfMirrors = (files: readonly MachineFile[]): readonly string[] =>
  files.filter(isMirror).map(({ path }) => path);
const linesOf = (paths: readonly string[]): string => paths.map((path) => `${path}\n`).join("");

const startedWith = (files: readonly MachineFile[], isFor: (file: MachineFile) => boolean): string =>
  sha256(
    files
      .filter(isFor)
      .map(({ text }) => text)
      .join("\0"),
  );

const stamps = (files: readonly MachineFile[]): readonly string[] => [
  ...[STARTED_WITH, startedWith(files, isForContainerd)],
  ...[KUBELET_STARTED_WITH, startedWith(files, isForKubelet)],
];

async function isPrepared(context: StepContext, { files, mirrors }: Wanted): Promise<boolean> {
  const [sums, values, stamp, kubeletStamp, units, enabled] = await runAll(
    await machineOf(context),
    [
      { argv: ["sha256sum", ...files.map(({ path }) => path)] },
      { argv: ["sysctl", "-n", ...Object.keys(SYSCTLS)] },
      { argv: ["cat", STARTED_WITH] },
      { argv: ["cat", KUBELET_STARTED_WITH] },
      { argv: ["systemctl", "is-active", "containerd"] },
      { argv: ["systemctl", "is-enabled", "kubelet"] },
    ],
    { signal: context.signal },
  );
  const there = new Set(sums?.stdout.split("\n"));
  return (
    linesOf(mirrors) === linesOf(pathsOfMirrors(files)) &&
    files.every(({ path, text }) => there.has(`${sha256(text)}  ${path}`)) &&
    values?.stdout.trim() === Object.values(SYSCTLS).join("\n") &&
    stamp?.stdout === startedWith(files, isForContainerd) &&
    kubeletStamp?.stdout === startedWith(files, isForKubelet) &&
    units?.stdout.trim() === "active" &&
    enabled?.stdout.trim() === "enabled"
  );
}

async function prepare(host: SshHost, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  const { signal } = context;
  const { files, mirrors } = await findWanted(host, context);
  const isMember = await hasReached(context, "member");
  const wasReady = isMember && (await isReady(host, context)) === true;
  await runScript(context, NOTE_AS_FOUND, STATE_FOLDER, ...files.map(({ path }) => path));
  const folders = [...new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))))];
  await machine.run({ argv: ["mkdir", "-p", ...folders] }, { signal });
  const declared = pathsOfMirrors(files);
  // Before they are written, and after those that are declared no more have gone: none is ever forgotten.
  const all = [...new Set([...mirrors, ...declared])];
  await noteMirrors(machine, all, mirrors);
  for (const { path, text, mode } of files) await putText(machine, path, text, mode);
  const dropped = mirrors.filter((path) => !declared.includes(path));
  if (dropped.length > 0) await runScript(context, DROP_FILES, STATE_FOLDER, ...dropped);
  await noteMirrors(machine, declared, all);
  const said = await machine.run(
    { argv: argvOf(APPLY_SETTINGS, SYSCTL_FILE, ...stamps(files), isMember ? "member" : "", ...MODULES) },
    { signal },
  );
  if (said.stdout.trim() !== "") context.log(said.stdout.trim());
  if (said.exitCode !== 0) throw new DroverError("step-failed", `${context.step.host}: ${said.stderr.trim()}`);
  if (wasReady) await waitUntilReadyAgain(host, context);
}

async function noteMirrors(machine: RemoteMachine, now: readonly string[], before: readonly string[]): Promise<void> {
  if (linesOf(now) !== linesOf(before)) await putText(machine, MIRRORS, linesOf(now));
}

/** What the cluster says of the node; null where it says nothing, or nothing could make a node ready. */
async function isReady(host: SshHost, { cluster, step, signal }: StepContext): Promise<boolean | null> {
  if (cluster.spec.networking?.cni.type === "none") return null;
  try {
    const target = await host.target(cluster, signal);
    if (target === null) return null;
    const node = await host.parts.kubernetes.get(target, `/api/v1/nodes/${step.host}`, signal);
    return listAt(node, "status", "conditions").some(({ type, status }) => type === "Ready" && status === "True");
  } catch (error) {
    if (error instanceof KubernetesError) return null;
    throw error;
  }
}

/** The gate between this node and the next one. A node that was not ready before holds nothing up. */
async function waitUntilReadyAgain(host: SshHost, context: StepContext): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if ((await isReady(host, context)) === true) return;
    await sleep(host.parts.timer, PAUSE_MS, context.signal);
    context.signal.throwIfAborted();
  }
  throw new DroverError(
    "step-not-verified",
    `${context.step.host} does not become ready with these settings; no other node gets them. Look there at \`journalctl -u kubelet\`, or take the change back.`,
  );
}
