import type { Connector } from "./connector.ts";
import type { MachineOwner } from "./machines.ts";

/** The way to a host that a plan names: `local` is the worker's own; what another name means, the cluster says. */
export type Connect = (host: string, cluster: MachineOwner) => Promise<Connector>;
