import { runOrThrow } from "../../../ports/connector.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { StepContext } from "../../../ports/step.ts";
import { succeeds } from "../etcd-on-machine.ts";
import { workMark } from "../steps/on-machine.ts";
import { K3S_KUBECTL, K3S_PROGRAM } from "./k3s-paths.ts";

/** Whether the server of that machine has a database, which it has only with a majority. */
export async function hasDatabase(machine: RemoteMachine, { signal }: StepContext): Promise<boolean> {
  const argv = [...K3S_KUBECTL, "--request-timeout", "3s", "get", "--raw", "/readyz/etcd"] as const;
  return await succeeds(machine, argv, signal);
}

/**
 * A snapshot of the database in a folder of ours, under a name to which k3s adds the node and the time. Answers its path.
 * It is never compressed, whatever k3s is told for its own ones: so it is what etcd wrote.
 */
export async function saveSnapshot(
  context: StepContext,
  machine: RemoteMachine,
  folder: string,
  name: string,
): Promise<string> {
  const { signal } = context;
  await machine.endMarked(workMark(context));
  await runOrThrow(machine, { argv: ["mkdir", "-p", "-m", "700", folder] }, { signal });
  const save = ["etcd-snapshot", "save", "--name", name, "--etcd-snapshot-dir", folder, "--snapshot-compress=false"];
  await runOrThrow(
    machine,
    { argv: [K3S_PROGRAM, ...save], mark: workMark(context) },
    { signal, tied: true, onLine: (line, stream) => context.log(line, stream) },
  );
  const path = await findSnapshot(context, machine, folder, name);
  if (path !== null) return path;
  throw new Error(`k3s on ${machine.host} has saved no snapshot in ${folder}.`);
}

/** One that is whole. */
export async function findSnapshot(
  { signal }: StepContext,
  machine: RemoteMachine,
  folder: string,
  name: string,
): Promise<string | null> {
  const argv = ["find", folder, "-name", `${name}-*`, "-size", "+0"] as const;
  const [found] = await runAll(machine, [{ argv }], { signal });
  return found?.stdout.split("\n").find((line) => line !== "" && !line.endsWith(".part")) ?? null;
}
