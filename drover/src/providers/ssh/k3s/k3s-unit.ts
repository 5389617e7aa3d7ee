import { randomBytes } from "node:crypto";
import { DroverError } from "@drover/contract";
import { isCommandError } from "../../../lib/command-error.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { StepContext } from "../../../ports/step.ts";
import { isControlPlane, nodeNamed, versionOf } from "../declared.ts";
import { argvOf } from "../scripts/script.ts";
import { becomeMember } from "../steps/member.ts";
import { machineOf, putText, runScript, work } from "../steps/on-machine.ts";
import { environmentText, k3sJoinConfig } from "./k3s-config.ts";
import { k3sFilesFor, sumOfFiles } from "./k3s-files.ts";
import {
  K3S_DATA,
  K3S_IMAGES,
  K3S_JOIN_CONFIG,
  K3S_KUBECTL,
  K3S_STARTED_WITH,
  secretsFileOf,
  unitOf,
} from "./k3s-paths.ts";
import { CLEAR_K3S, FORGET_ATTEMPT } from "./scripts/clear-k3s.ts";
import { START_K3S } from "./scripts/start-k3s.ts";

export const isServerStep = ({ cluster, step }: StepContext): boolean =>
  isControlPlane(nodeNamed(cluster.spec, step.host));

/** For the first server: nobody but the machines ever has it. */
export function makeToken(context: StepContext): string {
  const token = randomBytes(24).toString("hex");
  context.mask(token);
  return token;
}

/** The first start of a node: what it joins by is written, then its unit is started. */
export async function beginUnit(context: StepContext, token: string, server: string | null): Promise<void> {
  const { cluster, step } = context;
  const machine = await machineOf(context);
  const isServer = isServerStep(context);
  const folder = K3S_JOIN_CONFIG.slice(0, K3S_JOIN_CONFIG.lastIndexOf("/"));
  await machine.run({ argv: ["mkdir", "-p", folder] }, { signal: context.signal });
  await putText(machine, K3S_JOIN_CONFIG, k3sJoinConfig(cluster.spec, nodeNamed(cluster.spec, step.host), server));
  await putText(machine, secretsFileOf(isServer), environmentText({ K3S_TOKEN: token }));
  await startUnit(context);
}

/** From here on k3s runs with the files that the spec asks for. */
export async function startUnit(context: StepContext): Promise<void> {
  const sum = sumOfFiles(await k3sFilesFor(context));
  await startAsItLies(context);
  await putText(await machineOf(context), K3S_STARTED_WITH, sum);
}

/** With whatever files lie there. A server is up when this ends. */
export async function startAsItLies(context: StepContext): Promise<void> {
  await work(context, argvOf(START_K3S, unitOf(isServerStep(context)))).catch((error: unknown) => {
    throw explainK3s(context, error);
  });
}

/** A failure of k3s in its own last words. */
export function explainK3s({ step }: StepContext, error: unknown): unknown {
  if (!isCommandError(error, "failed")) return error;
  const why = error.stderr.trim().split("\n").slice(-3).join(" ");
  return new DroverError("step-failed", `k3s on ${step.host}: ${why || error.message}`, { cause: error });
}

/** Only after the machine was seen to be a node. */
export const becomeK3sMember = async (context: StepContext): Promise<void> =>
  await becomeMember(context, versionOf(context.cluster.spec));

/** What an attempt that was cut off has left on a machine that never became a member. What was brought stays. */
export async function clearK3sAttempt(context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  await machine.endMarked(`cluster-${context.cluster.id}`);
  const secrets = [true, false].map(secretsFileOf);
  const { stdout } = await machine.run({ argv: ["ls", "-d", ...secrets] }, { signal: context.signal });
  if (stdout.trim() === "") return;
  context.log("An earlier attempt was cut off; what it left is cleared away first.");
  await clearK3s(context);
  await runScript(context, FORGET_ATTEMPT, K3S_DATA, K3S_IMAGES, K3S_JOIN_CONFIG, ...secrets);
}

export async function clearK3s(context: StepContext): Promise<void> {
  await work(context, argvOf(CLEAR_K3S, context.cluster.spec.networking?.podSubnet ?? "10.42.0.0/16"));
}

/** Whether the API of the server on this machine answers. */
export async function answersItself(context: StepContext): Promise<boolean> {
  const argv = [...K3S_KUBECTL, "get", "--raw", "/readyz"] as const;
  const [ready] = await runAll(await machineOf(context), [{ argv }], { signal: context.signal });
  return ready?.exitCode === 0;
}
