import type { Step, StepContext } from "../../../ports/step.ts";
import { openArtifacts } from "../artifacts.ts";
import { ETCD_PROGRAM } from "../etcd/database.ts";
import { isHealthy } from "../etcd/members.ts";
import { assertMayStop, startDatabase, surveyDatabase, waitUntilHealthy } from "../etcd/run-database.ts";
import type { SshHost } from "../host.ts";
import { STATE_FOLDER } from "../machine-paths.ts";
import { NOTE_SUMS } from "../scripts/list-sums.ts";
import { machineOf, runScript, versionOfStep } from "./on-machine.ts";

/** The etcd that comes with a new version, on one member: the others have to do without it for a moment. */
export function changeSshEtcd(host: SshHost): Step {
  return {
    name: "change-ssh-etcd",
    precheck: async (context) => {
      const { artifact } = await findProgram(host, context);
      const { program } = await surveyDatabase(host, context);
      return program === artifact.sha256 && (await isHealthy(await machineOf(context), context));
    },
    run: (context) => {
      const text = `Run etcd of Kubernetes ${versionOfStep(context)} on ${context.step.host}`;
      return context.change(context.step.host, text, () => change(host, context));
    },
  };
}

async function findProgram(host: SshHost, context: StepContext) {
  const artifacts = await openArtifacts(host, context);
  return { artifacts, artifact: artifacts.require(`${versionOfStep(context)}/bin/etcd`) };
}

/** The old one runs on until it is told to stop: a program that is replaced stays open. */
async function change(host: SshHost, context: StepContext): Promise<void> {
  const { artifacts, artifact } = await findProgram(host, context);
  const { sha256 } = artifact;
  await assertMayStop(host, context);
  const machine = await machineOf(context);
  await machine.sendFile(await artifacts.at(artifact), ETCD_PROGRAM, { mode: 0o755, sha256, signal: context.signal });
  await runScript(context, NOTE_SUMS, STATE_FOLDER, sha256, ETCD_PROGRAM);
  await startDatabase(context);
  await waitUntilHealthy(host, context);
}
