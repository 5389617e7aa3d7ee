import { DroverError } from "@drover/contract";
import { runOrThrow } from "../../ports/connector.ts";
import { asMachine, type RemoteMachine } from "../../ports/machines.ts";
import type { Step, StepContext } from "../../ports/step.ts";
import type { BackupRecord } from "../../ports/store/index.ts";
import { backupOfStep, fetchBackup } from "./backup-files.ts";
import type { SshHost } from "./host.ts";
import { STATE_FOLDER } from "./machine-paths.ts";
import { argvOf, type Script } from "./scripts/script.ts";

/** Everything that a drill has on a machine. */
export const DRILL_FOLDER = `${STATE_FOLDER}/drill`;
export const DRILL_SNAPSHOT = `${DRILL_FOLDER}/snapshot.db`;
/** Less than a step that was told to stop is waited for. */
const CLEARING_MS = 8_000;

/** Something in the backup is not as it was. Of anything else nobody can say whether the backup is good. */
export class BadBackup extends Error {}

/** How a distribution of Kubernetes starts a backup beside a cluster. */
export interface DrillWay {
  /** A control plane on which it may be done. */
  findNode(context: StepContext): Promise<string>;
  /** Says what was found to be as it was; throws `BadBackup` for what was not. */
  prove(context: StepContext, machine: RemoteMachine, backup: BackupRecord): Promise<string>;
  /** Ends and removes everything of a drill, of this one or of one that was cut off. Argument: its folder. */
  readonly clear: Script;
}

/** Proves a backup: it is started beside the cluster, and what is in it is compared with what was when it was taken. */
export function drillStep(host: SshHost, name: string, way: DrillWay): Step {
  return {
    name,
    precheck: async (context) => {
      const { drill: last } = await backupOfStep(context);
      return last?.jobId === context.job.id && last.passed;
    },
    run: (context) => {
      const text = "Start the backup beside the cluster, and compare what is in it";
      return context.change(context.step.host, text, () => drill(host, context, way));
    },
  };
}

async function drill(host: SshHost, context: StepContext, way: DrillWay): Promise<void> {
  const backup = await backupOfStep(context);
  const node = await way.findNode(context);
  const machine = asMachine(await context.connect(node));
  await clear(host, context, node, way.clear);
  const verdict = await judge(async () => {
    try {
      return await way.prove(context, machine, backup);
    } finally {
      await clear(host, context, node, way.clear);
      await host.parts.archive.clearWorkFolder(context.job.id);
    }
  });
  const message = verdict.passed ? `Started on ${node}: ${verdict.message}` : verdict.message;
  await context.backups.drilled(backup.id, { passed: verdict.passed, message });
  context.log(message);
  if (verdict.passed) return;
  throw new DroverError("backup-damaged", `The backup ${backup.id} cannot be relied upon: ${message}.`);
}

async function judge(prove: () => Promise<string>): Promise<{ readonly passed: boolean; readonly message: string }> {
  try {
    return { passed: true, message: await prove() };
  } catch (error) {
    if (error instanceof BadBackup) return { passed: false, message: error.message };
    throw error;
  }
}

/** By a way of its own: also a drill that was cancelled leaves nothing running. */
async function clear(host: SshHost, { cluster }: StepContext, node: string, script: Script): Promise<void> {
  const machine = await host.parts.machines.connect(cluster, node);
  await runOrThrow(machine, { argv: argvOf(script, DRILL_FOLDER) }, { deadlineMs: CLEARING_MS });
}

export async function fetchOrBlame(host: SshHost, context: StepContext, backup: BackupRecord): Promise<string> {
  try {
    return await fetchBackup(host, context, backup);
  } catch (error) {
    if (error instanceof DroverError && error.code === "backup-damaged") throw new BadBackup(error.message);
    throw error;
  }
}

/** Whether the snapshot still is what was written down of it. */
export function compareStatus(
  status: BackupRecord["manifest"]["etcd"],
  { manifest }: Pick<BackupRecord, "manifest">,
): void {
  for (const what of ["hash", "revision", "keys"] as const) {
    if (status[what] === manifest.etcd[what]) continue;
    throw new BadBackup(`the ${what} of the snapshot is ${status[what]}, and was ${manifest.etcd[what]}`);
  }
}
