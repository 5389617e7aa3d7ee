import { runAll } from "../../../ports/run-all.ts";
import type { StepContext } from "../../../ports/step.ts";
import { nodeNamed } from "../declared.ts";
import { explainKubeadm } from "../failures.ts";
import { initConfig } from "../kubeadm-config.ts";
import { KUBEADM_CONFIG, PROGRAM_FOLDER, STOPPED_FOR_KEYS } from "../machine-paths.ts";
import { STOPPED_MANIFESTS } from "../restore-stage.ts";
import { machineOf, putText, versionOfStep, work } from "./on-machine.ts";

/** Where the manifest of the API server lies, also while it is stopped. */
const FOLDERS = ["/etc/kubernetes/manifests", STOPPED_FOR_KEYS, STOPPED_MANIFESTS];

/** Says to kubeadm on a control plane what `runPhase` has it bring about there. */
export async function describeInit(context: StepContext, isEncrypted: boolean): Promise<void> {
  const { cluster, step } = context;
  const version = (await findVersion(context)) ?? versionOfStep(context);
  const config = initConfig(cluster, nodeNamed(cluster.spec, step.host), version, isEncrypted);
  await putText(await machineOf(context), KUBEADM_CONFIG, config);
}

/** That of the API server there: another one may be declared, but only an upgrade leads to it. */
async function findVersion(context: StepContext): Promise<string | null> {
  const commands = FOLDERS.map((folder) => ({ argv: ["cat", `${folder}/kube-apiserver.yaml`] as const }));
  const found = await runAll(await machineOf(context), commands, { signal: context.signal, keepBytes: 1 << 20 });
  const text = found.map((one) => (one?.exitCode === 0 ? one.stdout : "")).join("\n");
  return /image: \S*kube-apiserver:(v[\w.+-]+)/.exec(text)?.[1] ?? null;
}

/** A part of `kubeadm init`, on a control plane that is one already. */
export async function runPhase(context: StepContext, ...words: readonly string[]): Promise<void> {
  const argv = [`${PROGRAM_FOLDER}/kubeadm`, "init", "phase", ...words, "--config", KUBEADM_CONFIG] as const;
  await work(context, argv as unknown as [string, ...string[]]).catch((error: unknown) => {
    throw explainKubeadm(context.step.host, error);
  });
}
