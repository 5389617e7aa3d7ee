import { textAt } from "../../../domain/json-fields.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import { asMachine, type RemoteMachine } from "../../../ports/machines.ts";
import type { StepContext } from "../../../ports/step.ts";
import { versionOf } from "../declared.ts";
import { lookAtMachine, type MachineLook } from "../machine-look.ts";
import { argvOf, type Script } from "../scripts/script.ts";

/** The machine that a step acts on. */
export async function machineOf(context: StepContext): Promise<RemoteMachine> {
  return asMachine(await context.connect(context.step.host));
}

export async function lookFor(context: StepContext): Promise<MachineLook> {
  return await lookAtMachine(await machineOf(context), context.signal);
}

export const isOurs = (look: MachineLook, { cluster }: StepContext): boolean => look.mark?.clusterId === cluster.id;

/** The mark of every process that works for a cluster on its machines, from whichever worker. */
export const workMark = ({ cluster }: StepContext): string => `cluster-${cluster.id}`;

/**
 * A program that works on the machine: what it says is the log of the step, and it ends with the step, with this process,
 * and with the connection. What an earlier worker left running is ended first.
 */
export async function work(
  context: StepContext,
  argv: readonly [string, ...string[]],
  { stdin, show = true }: { readonly stdin?: string; readonly show?: boolean } = {},
): Promise<string> {
  const machine = await machineOf(context);
  await machine.endMarked(workMark(context));
  const { stdout } = await runOrThrow(
    machine,
    { argv, mark: workMark(context), ...(stdin === undefined ? {} : { stdin }) },
    {
      signal: context.signal,
      tied: true,
      ...(show ? { onLine: (line, stream) => context.log(line, stream) } : {}),
    },
  );
  return stdout;
}

/** The version that a step is about: its own, or the declared one. */
export const versionOfStep = ({ step, cluster }: StepContext): string =>
  textAt(step.input, "version") ?? versionOf(cluster.spec);

/** A script of ours that is over soon. */
export async function runScript(context: StepContext, script: Script, ...values: readonly string[]): Promise<string> {
  const machine = await machineOf(context);
  const { stdout } = await runOrThrow(
    machine,
    { argv: argvOf(script, ...values) },
    { signal: context.signal, tied: true, keepBytes: 1 << 20 },
  );
  return stdout;
}

export async function putText(machine: RemoteMachine, path: string, text: string, mode = 0o600): Promise<void> {
  await machine.put(path, Buffer.from(text), { mode });
}
