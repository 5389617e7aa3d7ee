import { formatMachineRef, MACHINE_KIND, MACHINE_SYSTEM, readMachine } from "../../machines/machine-ref.ts";
import type { StepContext } from "../../ports/step.ts";
import { nodeNamed, sshPart } from "./declared.ts";
import type { SshHost } from "./host.ts";

/** From here on the machine is known by the key that was pinned, or that it shows now, and the ledger has it. */
export async function pinMachine(host: SshHost, context: StepContext, name: string): Promise<void> {
  const { cluster, ledger } = context;
  if ((await unpinnedAmong(context, [name])).length === 0) return;
  const { machines } = host.parts;
  const pinned = await machines.findPin(cluster, name);
  const hostKey = pinned ?? (await machines.fetchFingerprint(cluster, name));
  if (pinned === null) context.log(`Nobody has pinned a host key of ${name}: from now on it is ${hostKey}.`);
  const ref = formatMachineRef({ clusterName: cluster.name, node: name, ...placeOf(cluster.spec, name), hostKey });
  await ledger.intend({ system: MACHINE_SYSTEM, kind: MACHINE_KIND, ref });
}

/** Those that the ledger does not have at the place that the spec says. */
export async function unpinnedAmong({ cluster, ledger }: StepContext, names: readonly string[]) {
  const known = (await ledger.list()).flatMap((row) => readMachine(row) ?? []);
  return names.filter((name) => {
    const { address, port } = placeOf(cluster.spec, name);
    return !known.some((machine) => machine.node === name && machine.address === address && machine.port === port);
  });
}

function placeOf(spec: StepContext["cluster"]["spec"], name: string) {
  const { access } = sshPart(spec);
  const { address, port = access.port, user = access.user } = nodeNamed(spec, name);
  return { address, port, user };
}
