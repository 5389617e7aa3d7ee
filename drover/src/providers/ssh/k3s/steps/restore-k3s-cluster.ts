import { join } from "node:path";
import { DroverError } from "@drover/contract";
import { waitForNodes } from "../../../../containers/wait-for-nodes.ts";
import { FACTS_SCRIPT } from "../../../../machines/facts/facts-script.ts";
import { parseFacts } from "../../../../machines/facts/parse-facts.ts";
import { runOrThrow } from "../../../../ports/connector.ts";
import type { RemoteMachine } from "../../../../ports/machines.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import { backupOfStep, fetchBackup, SNAPSHOT_FILE } from "../../backup-files.ts";
import { addressAmongNodes, bracket, nodeNamed, sshPart } from "../../declared.ts";
import type { SshHost } from "../../host.ts";
import { noteStage, RESTORE_FOLDER, RESTORE_SNAPSHOT, stagedStep, wentOnSince } from "../../restore-stage.ts";
import { argvOf, type Script } from "../../scripts/script.ts";
import { STOP_UNIT } from "../../scripts/stop-unit.ts";
import { assertNoOther } from "../../steps/init-ssh-control-plane.ts";
import { machineOf, putText, work } from "../../steps/on-machine.ts";
import { findLeft } from "../../steps/refound-ssh-control-plane.ts";
import { environmentText, k3sJoinConfig } from "../k3s-config.ts";
import {
  K3S_CONFIG,
  K3S_DATA,
  K3S_DATABASE,
  K3S_JOIN_CONFIG,
  K3S_KUBECTL,
  K3S_OLD_DATABASE,
  K3S_PROGRAM,
  secretsFileOf,
  unitOf,
} from "../k3s-paths.ts";
import { openTokenOf, secretIn } from "../k3s-token.ts";
import {
  answersItself,
  becomeK3sMember,
  clearK3sAttempt,
  explainK3s,
  isServerStep,
  startAsItLies,
} from "../k3s-unit.ts";
import { BadSnapshot, readSnapshot } from "../read-snapshot.ts";
import { EMPTY_DATABASE, RESET_K3S } from "../scripts/restore-k3s.ts";

const TELL_FACTS: Script = { name: "drover-tell-facts", text: FACTS_SCRIPT };
/** etcd takes as much for its first log, and for the next one. */
const LOG_BYTES = 128 * 1024 * 1024;

/** The server with which the cluster begins again: the first of those that were not lost. */
async function findFounder(host: SshHost, context: StepContext): Promise<string> {
  const [founder] = await findLeft(host, context);
  if (founder !== undefined) return founder;
  throw new DroverError("step-failed", `No server of ${context.cluster.name} is left that could begin again.`);
}

/** The steps that take a cluster of k3s back: its first server out of the snapshot, the others out of the first. */
export function restoreK3sSteps(host: SshHost): readonly Step[] {
  return [
    stagedStep(
      "bring-k3s-snapshot",
      "brought",
      (node) => `Bring the snapshot to ${node}`,
      async (context, machine) => {
        if ((await findFounder(host, context)) === context.step.host) {
          await bringSnapshot(host, context, machine);
          await assertFits(host, context, machine);
        }
        if (await wentOnSince(context)) {
          await runOrThrow(machine, { argv: ["rm", "-rf", K3S_OLD_DATABASE] }, { signal: context.signal });
        }
      },
    ),
    stagedStep(
      "stop-k3s-server",
      "stopped",
      (node) => `Stop k3s on ${node}`,
      async (context) => void (await work(context, argvOf(STOP_UNIT, unitOf(true)))),
    ),
    stagedStep(
      "restore-k3s-database",
      "restored",
      (node) => `Put the snapshot in the place of the database on ${node}`,
      async (context, machine) => {
        await giveToken(host, context, machine);
        await work(context, argvOf(EMPTY_DATABASE, K3S_DATABASE, K3S_OLD_DATABASE));
        if ((await findFounder(host, context)) === context.step.host) await reset(context);
      },
    ),
    stagedStep(
      "start-k3s-restored",
      "started",
      (node) => `Start k3s on ${node}`,
      async (context, machine) => {
        const founder = await findFounder(host, context);
        await putText(machine, K3S_JOIN_CONFIG, joinConfigFor(context, founder));
        await begin(host, context);
        if (founder === context.step.host) await forgetPasswords(context, machine);
      },
    ),
    // A node that came after the backup enters itself anew only when it starts.
    stagedStep(
      "refresh-k3s-agent",
      "refreshed",
      (node) => `Restart k3s on ${node}`,
      async (context, machine) => {
        await giveToken(host, context, machine);
        await startAsItLies(context);
      },
    ),
  ];
}

/**
 * A server out of a backup, where none is left. Its database is there before its API is: agents that run on never meet an
 * empty cluster, which would have them end their pods.
 */
export function refoundK3sServer(host: SshHost): Step {
  return {
    name: "refound-k3s-server",
    precheck: async (context) => (await findLeft(host, context)).length > 0,
    run: (context) => {
      const text = `Start ${context.step.host} with the token and data of the backup`;
      return context.change(context.step.host, text, () => refound(host, context));
    },
  };
}

async function refound(host: SshHost, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  await assertNoOther(host, context);
  await clearK3sAttempt(context);
  const folders = [RESTORE_FOLDER, K3S_JOIN_CONFIG.slice(0, K3S_JOIN_CONFIG.lastIndexOf("/"))];
  await runOrThrow(machine, { argv: ["mkdir", "-p", "-m", "700", ...folders] }, { signal: context.signal });
  await giveToken(host, context, machine);
  await bringSnapshot(host, context, machine);
  await reset(context);
  await putText(machine, K3S_JOIN_CONFIG, joinConfigFor(context, context.step.host));
  await begin(host, context);
  await forgetPasswords(context, machine);
  await noteStage(context, "started");
  await becomeK3sMember(context);
}

async function bringSnapshot(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<void> {
  const backup = await backupOfStep(context);
  const folder = await fetchBackup(host, context, backup);
  const { sha256 } = backup.manifest.snapshot;
  await machine.sendFile(join(folder, SNAPSHOT_FILE), RESTORE_SNAPSHOT, { sha256, signal: context.signal });
}

/** Whatever is wrong with the snapshot, or too little for it, shows while the cluster still runs. */
async function assertFits(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<void> {
  const { step, signal } = context;
  const backup = await backupOfStep(context);
  const path = join(await fetchBackup(host, context, backup), SNAPSHOT_FILE);
  await readSnapshot(path).catch((error: unknown) => {
    if (!(error instanceof BadSnapshot)) throw error;
    throw new DroverError("backup-damaged", `The snapshot of the backup ${backup.id} is of no use: ${error.message}.`);
  });
  const sentAt = host.parts.clock.now();
  const { stdout } = await machine.run({ argv: argvOf(TELL_FACTS) }, { signal, keepBytes: 1 << 20 });
  const facts = parseFacts(stdout, { sentAt, answeredAt: host.parts.clock.now() });
  const free = freeBytesAt(K3S_DATABASE, facts?.disks ?? []);
  const needed = backup.manifest.snapshot.bytes + LOG_BYTES;
  if (free === null || free >= needed) return;
  throw new DroverError(
    "host-full",
    `A database of the snapshot needs ${needed} bytes in ${K3S_DATABASE} on ${step.host}, and ${free} are free. Nothing was stopped. Free some there, then try again.`,
  );
}

/** On the innermost mount that the path lies in; null where nobody says. */
function freeBytesAt(
  path: string,
  disks: readonly { readonly mount: string; readonly freeBytes: number }[],
): number | null {
  const isBelow = (mount: string) => `${path}/`.startsWith(mount === "/" ? "/" : `${mount}/`);
  const [disk] = disks
    .filter(({ mount }) => isBelow(mount))
    .sort((one, other) => other.mount.length - one.mount.length);
  return disk?.freeBytes ?? null;
}

async function reset(context: StepContext): Promise<void> {
  const files = [RESTORE_SNAPSHOT, K3S_CONFIG, `${RESTORE_FOLDER}/k3s.yaml`, secretsFileOf(true)];
  await work(context, argvOf(RESET_K3S, K3S_PROGRAM, ...files)).catch((error: unknown) => {
    throw explainK3s(context, error);
  });
}

async function begin(host: SshHost, context: StepContext): Promise<void> {
  await startAsItLies(context);
  const find = async () => ((await answersItself(context)) ? null : "The API does not answer yet.");
  await waitForNodes(find, context, host.parts.timer);
}

/** The founder goes on with what it has; the others come to it, as they did when they were new. */
function joinConfigFor({ cluster, step }: StepContext, founder: string): string {
  const { spec } = cluster;
  const server = `https://${bracket(addressAmongNodes(nodeNamed(spec, founder)))}:6443`;
  return k3sJoinConfig(spec, nodeNamed(spec, step.host), founder === step.host ? null : server);
}

/** Every node goes by the token of the backup, in case it was another one then. */
async function giveToken(host: SshHost, context: StepContext, machine: RemoteMachine): Promise<void> {
  const path = secretsFileOf(isServerStep(context));
  const token = await openTokenOf(host, context, await backupOfStep(context));
  const { stdout } = await machine.run({ argv: ["cat", path] }, { signal: context.signal });
  const [, now = ""] = /^K3S_TOKEN="(.*)"$/m.exec(stdout) ?? [];
  if (secretIn(now) === secretIn(token)) return;
  context.log(`${context.step.host} gets the token of the backup.`);
  await putText(machine, path, environmentText({ K3S_TOKEN: token }));
  const kept = ["token", "node-token", "agent-token"].map((name) => `${K3S_DATA}/server/${name}`);
  await machine.run({ argv: ["rm", "-f", ...kept] }, { signal: context.signal });
}

/**
 * A node tells k3s a password of its own, and is refused where another one is known. One that was made anew since the
 * backup would be: so each is taken at its word once more.
 */
async function forgetPasswords({ cluster, signal }: StepContext, machine: RemoteMachine): Promise<void> {
  const secrets = sshPart(cluster.spec).nodes.map(({ name }) => `${name}.node-password.k3s`);
  const forget = ["-n", "kube-system", "delete", "secret", "--ignore-not-found", ...secrets];
  await runOrThrow(machine, { argv: [...K3S_KUBECTL, ...forget] }, { signal });
}
