import { X509Certificate } from "node:crypto";
import { DroverError, isIpAddress } from "@drover/contract";
import { sha256 } from "../../../lib/sha256.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { sleep, type Timer } from "../../../ports/timer.ts";
import { certificateNames, controlPlanesOf, firstControlPlane } from "../declared.ts";
import { encryptionConfiguration } from "../encryption/configuration.ts";
import { readRing } from "../encryption/kept-ring.ts";
import { isInUse } from "../encryption/key-ring.ts";
import { restartWithKeys } from "../encryption/restart-with-keys.ts";
import type { SshHost } from "../host.ts";
import { apiServerSettings } from "../kubeadm-config.ts";
import { ENCRYPTION_FILE, KUBECTL, STATE_FOLDER } from "../machine-paths.ts";
import { describeInit, runPhase } from "./kubeadm-phase.ts";
import { machineOf, putText } from "./on-machine.ts";

/** What the API server of a control plane was last told. */
const TOLD = `${STATE_FOLDER}/api-server-settings`;
const SERVING = "/etc/kubernetes/pki/apiserver";
const PAUSE_MS = 1_000;
const PATIENCE_MS = 180_000;

async function sumOf(context: StepContext): Promise<string> {
  const { spec } = context.cluster;
  const ring = await readRing(context);
  const settings = [apiServerSettings(spec, isInUse(ring)), [...certificateNames(spec)].sort()];
  return sha256(JSON.stringify(isInUse(ring) ? [...settings, encryptionConfiguration(ring)] : settings));
}

/** A node that has just become a control plane was told by kubeadm itself. */
export async function noteSettings(context: StepContext): Promise<void> {
  await putText(await machineOf(context), TOLD, await sumOf(context));
}

/** Before the ring of keys moves on: an API server that was left out could not read what others write from then on. */
export async function assertAllTold(context: StepContext): Promise<void> {
  const sum = await sumOf(context);
  for (const { name } of controlPlanesOf(context.cluster.spec)) {
    const machine = await context.connect(name);
    const { stdout } = await machine.run({ argv: ["cat", TOLD] }, { signal: context.signal });
    if (stdout === sum) continue;
    throw new DroverError(
      "plan-stale",
      `The API server of ${name} was not told of the keys of now: reconcile the cluster, then rotate again.`,
    );
  }
}

/**
 * Arguments and files of the API server, its keys, and the names in its certificate, on a control plane that runs: as if
 * they had been declared from the start. Ends when that API server answers again.
 */
export function configureSshControlPlane(host: SshHost): Step {
  return {
    name: "configure-ssh-control-plane",
    precheck: async (context) => {
      const [told] = await runAll(await machineOf(context), [{ argv: ["cat", TOLD] }], { signal: context.signal });
      return told?.stdout === (await sumOf(context));
    },
    run: (context) => {
      const text = `Set up the API server of ${context.step.host} as declared, and wait until it answers`;
      return context.change(context.step.host, text, () => configure(host, context));
    },
  };
}

async function configure(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step, signal } = context;
  const machine = await machineOf(context);
  const isEncrypted = isInUse(await readRing(context));
  const hadKeys = (await machine.run({ argv: ["test", "-e", ENCRYPTION_FILE] }, { signal })).exitCode === 0;
  await describeInit(context, isEncrypted);
  if (await lacksNames(context)) {
    await runOrThrow(machine, { argv: ["rm", "-f", `${SERVING}.crt`, `${SERVING}.key`] }, { signal });
    await runPhase(context, "certs", "apiserver");
  }
  if (isEncrypted || hadKeys) {
    await restartWithKeys(host, context);
  } else {
    await runPhase(context, "control-plane", "apiserver");
    await waitUntilReady(host.parts.timer, context);
  }
  // Where later upgrades and joins take it from.
  if (firstControlPlane(cluster.spec).name === step.host) await runPhase(context, "upload-config", "kubeadm");
  if (!isEncrypted) await runOrThrow(machine, { argv: ["rm", "-f", ENCRYPTION_FILE] }, { signal });
  await noteSettings(context);
}

async function lacksNames(context: StepContext): Promise<boolean> {
  const machine = await machineOf(context);
  const [file] = await runAll(machine, [{ argv: ["cat", `${SERVING}.crt`] }], { signal: context.signal });
  // Cut off between taking it away and making it anew.
  if (file?.exitCode !== 0) return true;
  const certificate = new X509Certificate(file.stdout);
  return certificateNames(context.cluster.spec).some(
    (name) => (isIpAddress(name) ? certificate.checkIP(name) : certificate.checkHost(name)) === undefined,
  );
}

/** The kubelet takes a changed manifest up within seconds: it has to answer several times in a row. */
async function waitUntilReady(timer: Timer, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  let inARow = 0;
  for (let round = 0; round * PAUSE_MS < PATIENCE_MS; round += 1) {
    await sleep(timer, PAUSE_MS, context.signal);
    context.signal.throwIfAborted();
    const [ready] = await runAll(machine, [{ argv: [...KUBECTL, "get", "--raw", "/readyz"] }], {
      signal: context.signal,
    });
    inARow = ready?.exitCode === 0 ? inARow + 1 : 0;
    if (inARow >= 10) return;
  }
  throw new DroverError(
    "step-not-verified",
    `The API server of ${context.step.host} does not answer with what was declared. Look there at \`crictl ps -a\` and the log of kube-apiserver, or take the change back.`,
  );
}
