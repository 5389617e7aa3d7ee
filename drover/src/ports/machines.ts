import type { ClusterSpec } from "@drover/contract";
import type { Connector } from "./connector.ts";
import type { LendsFiles } from "./lend-files.ts";
import type { RunsLists } from "./run-all.ts";
import type { SendsFiles } from "./send-file.ts";

/** A machine as steps use it: commands, lists of them, and files of any size, all as root. Not every one can lend. */
export type RemoteMachine = Connector & RunsLists & SendsFiles & Partial<LendsFiles>;

/** A machine that belongs, or may belong, to a cluster: what the ledger says about it. */
export interface KnownMachine {
  readonly clusterId: string;
  readonly clusterName: string;
  /** The name of the node in Kubernetes. */
  readonly node: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** The fingerprint that it was first met with. */
  readonly hostKey: string;
}

/** The cluster on whose behalf a machine is reached: its spec says how. */
export interface MachineOwner {
  readonly id: string;
  readonly spec: ClusterSpec;
}

/** The machines of clusters, by the names of their nodes, or by `address:port` for one that lost its name to another. */
export interface Machines {
  /** Nothing is said to it yet. Rejects when the spec does not say how it is reached. */
  connect(owner: MachineOwner, name: string): Promise<RemoteMachine>;
  /** The fingerprint by which the machine is to be known; null when nobody has pinned one. */
  findPin(owner: MachineOwner, name: string): Promise<string | null>;
  /** The fingerprint that it shows now. It is told nothing. */
  fetchFingerprint(owner: MachineOwner, name: string): Promise<string>;
  /** Those of one cluster, or all there are. */
  known(clusterId?: string): Promise<readonly KnownMachine[]>;
}

const nowhere = () => Promise.reject(new Error("This process does not talk to machines; workers do."));

/** For processes that know clusters only from the store. */
export const NO_MACHINES: Machines = {
  connect: nowhere,
  findPin: nowhere,
  fetchFingerprint: nowhere,
  known: async () => [],
};

/** What a step is given is all that, where its host is a machine. */
export function asMachine(connector: Connector): RemoteMachine {
  if ("runAll" in connector && "sendFile" in connector) return connector as RemoteMachine;
  throw new Error(`${connector.host} is no machine that files can be sent to.`);
}
