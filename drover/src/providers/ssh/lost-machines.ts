import { readMachine } from "../../machines/machine-ref.ts";
import type { KnownMachine } from "../../ports/machines.ts";
import type { StepContext } from "../../ports/step.ts";
import { sshPart } from "./declared.ts";
import type { SshCluster } from "./host.ts";

/** Whether a person has said that it is gone for good. Nothing else is: a machine that is silent may come back. */
export const isLost = ({ spec }: Pick<SshCluster, "spec">, { address }: Pick<KnownMachine, "address">): boolean =>
  sshPart(spec).lostMachines?.includes(address) === true;

/** Whether the machine that a step is about is one of those. */
export async function isAboutLost({ cluster, ledger, step }: StepContext): Promise<boolean> {
  const places = (await ledger.list()).flatMap((row) => readMachine(row) ?? []);
  return places.some(
    (place) => (place.node === step.host || `${place.address}:${place.port}` === step.host) && isLost(cluster, place),
  );
}
