import type { Connector } from "../ports/connector.ts";
import type { ContainerEngine } from "../ports/container-engine.ts";

/** The machine that is looked at, as those who look at it see it. Nothing of it is changed. */
export interface HostParts {
  readonly engine: ContainerEngine;
  /** Where that engine is, as its own options name it. */
  readonly dockerHost: string;
  readonly programs: Pick<Connector, "run">;
  isPortFree(address: string, port: number, protocol: string): Promise<boolean>;
  /** Null when there is no such file. */
  readText(path: string): Promise<string | null>;
  /** Bytes that can be written below a folder; null when it is not on this machine. */
  freeSpace(folder: string): Promise<number | null>;
  readonly platform: {
    /** `linux`, `darwin`. */
    readonly system: string;
    /** `amd64`, `arm64`. */
    readonly architecture: string;
    readonly isRoot: boolean;
    /** Whether packages come by apt-get, as on Debian. */
    readonly hasApt: boolean;
  };
  /** Ports that clusters without any of their own are given. */
  readonly hostPorts: { readonly from: number; readonly to: number };
  /** Images that the clusters which are declared here are made from. */
  listWantedImages(): Promise<readonly string[]>;
}
