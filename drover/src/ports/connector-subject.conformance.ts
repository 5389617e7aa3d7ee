import type { Connector } from "./connector.ts";

/** What the suite needs. The host must be a Linux with the usual small programs. */
export interface ConnectorHarness {
  connect(): Promise<Connector>;
  /** A folder on the host that exists, is empty, and belongs to whoever commands run as. */
  readonly folder: string;
  dispose(): Promise<void>;
}

export interface ConnectorTraits {
  /** The only variables that a command sees which was given none. */
  readonly environmentNames: readonly string[];
  /** How much a command writes in the tests of large outputs. */
  readonly hugeBytes: number;
}

export interface Subject {
  readonly connector: Connector;
  readonly harness: ConnectorHarness;
  readonly traits: ConnectorTraits;
}
