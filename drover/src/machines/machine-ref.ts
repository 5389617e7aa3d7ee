import type { KnownMachine } from "../ports/machines.ts";
import type { ExternalObject } from "../ports/store/index.ts";

/** Under which the ledger has machines. */
export const MACHINE_SYSTEM = "ssh";
export const MACHINE_KIND = "machine";

type Place = Omit<KnownMachine, "clusterId">;

/** As the ledger names a machine: `prod/node-1 root@10.0.0.4:22 SHA256:…`. */
export const formatMachineRef = ({ clusterName, node, user, address, port, hostKey }: Place): string =>
  `${clusterName}/${node} ${user}@${address}:${port} ${hostKey}`;

/** Null for what is no machine. */
export function readMachine({
  clusterId,
  system,
  kind,
  ref,
}: Pick<ExternalObject, "clusterId" | "system" | "kind" | "ref">): KnownMachine | null {
  const parts = /^([^\s/]+)\/(\S+) ([^@\s]+)@(\S+):(\d+) (SHA256:\S+)$/.exec(ref);
  if (system !== MACHINE_SYSTEM || kind !== MACHINE_KIND || parts === null) return null;
  const [, clusterName = "", node = "", user = "", address = "", port = "", hostKey = ""] = parts;
  return { clusterId, clusterName, node, user, address, port: Number(port), hostKey };
}
