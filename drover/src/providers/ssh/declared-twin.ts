import { DroverError } from "@drover/contract";
import type { StepContext } from "../../ports/step.ts";
import { sshPart } from "./declared.ts";
import type { SshHost } from "./host.ts";
import { isSameMachine, seeKnown } from "./known-places.ts";
import type { MachineLook } from "./machine-look.ts";
import { isOurs, lookFor } from "./steps/on-machine.ts";

/**
 * The declared node whose machine a row of the ledger leads to as well; null where it is another machine, which may be
 * given back. The ledger tells machines apart by name, address and port, all of which may change of a machine that stays.
 */
export async function findDeclaredTwin(host: SshHost, context: StepContext, node: string): Promise<string | null> {
  let look: MachineLook;
  try {
    look = await lookFor(context);
  } catch (error) {
    context.signal.throwIfAborted();
    // The way of before may be closed by now.
    if (await hasMoved(host, context, node)) return node;
    throw error;
  }
  return isOurs(look, context) ? await findAmongDeclared(host, context, look) : null;
}

async function hasMoved(host: SshHost, { cluster, step, signal }: StepContext, node: string): Promise<boolean> {
  const places = await seeKnown(host, cluster, signal);
  return places.some((place) => place.moved && place.node === node && place.host === step.host);
}

async function findAmongDeclared(host: SshHost, context: StepContext, look: MachineLook): Promise<string | null> {
  const { cluster, step, signal } = context;
  const names = sshPart(cluster.spec).nodes.map(({ name }) => name);
  const seen = await host.seeAll(cluster, names, signal);
  const twin = seen.find((one) => "look" in one && isSameMachine(one.look, look));
  if (twin !== undefined) return twin.node;
  const silent = seen.find((one) => "unreachable" in one);
  if (silent === undefined || !("unreachable" in silent)) return null;
  throw new DroverError(
    "machine-unreachable",
    `${silent.unreachable} Until ${silent.node} answers, nobody can tell whether ${step.host} is the same machine: it is not reset.`,
  );
}
