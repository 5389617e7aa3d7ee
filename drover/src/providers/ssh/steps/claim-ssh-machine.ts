import { DroverError } from "@drover/contract";
import { readMachine } from "../../../machines/machine-ref.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { thingsThatChange } from "../as-found.ts";
import type { SshHost } from "../host.ts";
import { findObstacle } from "../machine-look.ts";
import { CONTAINERD_DATA, MARK_FOLDER, MARK_PATH, STATE_FOLDER } from "../machine-paths.ts";
import { formatMark } from "../mark.ts";
import { releaseMachine } from "../release-machine.ts";
import { CLAIM_MACHINE } from "../scripts/claim-machine.ts";
import { NOTE_AS_FOUND } from "../scripts/note-as-found.ts";
import { isOurs, lookFor, machineOf, runScript } from "./on-machine.ts";

/** Marks a machine as the cluster's, and notes how everything is that will be changed: both come before any change. */
export function claimSshMachine(host: SshHost): Step {
  return {
    name: "claim-ssh-machine",
    precheck: async (context) => isOurs(await lookFor(context), context) && (await isNoted(context)),
    run: (context) => {
      const text = `Mark ${context.step.host} as a machine of ${context.cluster.name}, and note how it was found`;
      return context.change(context.step.host, text, () => claim(context));
    },
    undo: async (context) => {
      const { mark } = await lookFor(context);
      if (mark?.clusterId !== context.cluster.id || mark.jobId !== context.job.id) return;
      await releaseMachine(host, context);
    },
  };
}

async function claim(context: StepContext): Promise<void> {
  const { cluster, step, job, ledger } = context;
  const mark = {
    clusterId: cluster.id,
    clusterName: cluster.name,
    node: step.host,
    jobId: job.id,
    stage: "claimed",
  } as const;
  await runScript(context, CLAIM_MACHINE, MARK_FOLDER, MARK_PATH, formatMark(mark));
  const look = await lookFor(context);
  const obstacle = findObstacle(look, cluster.id);
  if (obstacle !== null) throw new DroverError("machine-taken", `${step.host} is not touched. ${obstacle}`);
  for (const row of await ledger.list()) if (readMachine(row)?.node === step.host) await ledger.present(row.id);
  const keepsData = await hasNamespaces(context);
  await runScript(context, NOTE_AS_FOUND, STATE_FOLDER, ...thingsThatChange(cluster.spec, { keepsData }));
}

/** Somebody uses containerd there: its files are not ours to put back. */
async function hasNamespaces(context: StepContext): Promise<boolean> {
  const [listed] = await runAll(await machineOf(context), [{ argv: ["ctr", "namespaces", "ls", "-q"] }], {
    signal: context.signal,
  });
  return listed?.exitCode === 0 && listed.stdout.trim() !== "";
}

/** What was not there is noted by the topmost folder that was not there. */
async function isNoted(context: StepContext): Promise<boolean> {
  const [list] = await runAll(
    await machineOf(context),
    [{ argv: ["cut", "-f", "2", `${STATE_FOLDER}/as-found.tsv`] }],
    {
      signal: context.signal,
      keepBytes: 1 << 20,
    },
  );
  if (list?.exitCode !== 0) return false;
  const noted = list.stdout.split("\n");
  const has = (thing: string) => noted.some((one) => one !== "" && (thing === one || thing.startsWith(`${one}/`)));
  return thingsThatChange(context.cluster.spec, { keepsData: true }).every(
    (thing) => thing === CONTAINERD_DATA || has(thing),
  );
}
