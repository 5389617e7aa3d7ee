import { X509Certificate } from "node:crypto";
import { DroverError, isIpAddress } from "@drover/contract";
import { sha256 } from "../../../lib/sha256.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import { asMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { certificateNames, controlPlanesOf, firstControlPlane } from "../declared.ts";
import { encryptionConfiguration } from "../encryption/configuration.ts";
import { readRing } from "../encryption/kept-ring.ts";
import { isInUse } from "../encryption/key-ring.ts";
import { restartAsDeclared, restartWithKeys } from "../encryption/restart-with-keys.ts";
import { isMemberOf, type SshHost } from "../host.ts";
import { apiServerSettings } from "../kubeadm-config.ts";
import { answersHere } from "../local-api.ts";
import { ENCRYPTION_FILE, STATE_FOLDER } from "../machine-paths.ts";
import { describeInit, runPhase } from "./kubeadm-phase.ts";
import { machineOf, putText } from "./on-machine.ts";

/** What the API server of a control plane was last told. */
const TOLD = `${STATE_FOLDER}/api-server-settings`;
const SERVING = "/etc/kubernetes/pki/apiserver";

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
  // Where there are keys, gates of the plan see to it.
  if (!isEncrypted && !hadKeys) await assertOthersAnswer(host, context);
  // Until it answers nobody knows what it runs with: a change that is taken back is made as any other.
  await runOrThrow(machine, { argv: ["rm", "-f", TOLD] }, { signal });
  await describeInit(context, isEncrypted);
  if (await lacksNames(context)) {
    await runOrThrow(machine, { argv: ["rm", "-f", `${SERVING}.crt`, `${SERVING}.key`] }, { signal });
    await runPhase(context, "certs", "apiserver");
  }
  if (isEncrypted || hadKeys) await restartWithKeys(host, context);
  else await restartAsDeclared(host, context);
  // Where later upgrades and joins take it from.
  if (firstControlPlane(cluster.spec).name === step.host) await runPhase(context, "upload-config", "kubeadm");
  if (!isEncrypted) await runOrThrow(machine, { argv: ["rm", "-f", ENCRYPTION_FILE] }, { signal });
  await noteSettings(context);
}

/** One that answers is not stopped while no other one does: what took that down may take this down too. */
async function assertOthersAnswer(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step, signal } = context;
  if (!(await answersHere(await machineOf(context), context))) return;
  const names = controlPlanesOf(cluster.spec).flatMap(({ name }) => (name === step.host ? [] : [name]));
  const seen = await host.seeAll(cluster, names, signal);
  const others = seen.filter((one) => "unreachable" in one || isMemberOf(cluster.id, one));
  if (others.length === 0) return;
  for (const one of others) {
    if ("look" in one && (await answersHere(asMachine(await context.connect(one.node)), context))) return;
  }
  throw new DroverError(
    "cluster-not-ready",
    `No other API server of ${cluster.name} answers (${others.map(({ node }) => node).join(", ")}), so that of ${step.host} is not stopped. Mend one of them, or remove it from the cluster, then try again.`,
  );
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
