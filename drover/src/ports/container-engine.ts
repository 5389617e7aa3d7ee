/** What a Docker host says about itself. */
export interface EngineInfo {
  readonly version: string;
  readonly apiVersion: string;
  readonly operatingSystem: string;
  readonly kernel: string;
  /** Of control groups: 1 or 2. */
  readonly cgroupVersion: 1 | 2;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Where images and volumes are kept. */
  readonly dataRoot: string;
}

export type ContainerState = "created" | "running" | "paused" | "restarting" | "removing" | "exited" | "dead";

export interface PublishedPort {
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostAddress: string;
  readonly hostPort: number;
}

/** What of the host, or which volume, a container sees under a path. */
export interface ContainerMount {
  /** Empty where the engine does not say. */
  readonly source: string;
  readonly destination: string;
  /** The name of the volume; null for a folder or file of the host. */
  readonly volume: string | null;
}

export interface Container {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly state: ContainerState;
  readonly labels: Readonly<Record<string, string>>;
  /** Only those of running containers are known from a list. */
  readonly ports: readonly PublishedPort[];
  /** Those that it is on, also while it does not run. */
  readonly networks: readonly string[];
  /** Address by network, while it runs. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly mounts: readonly ContainerMount[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface EngineNetwork {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly subnets: readonly string[];
}

export interface EngineVolume {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Labels that must be there; those with a value, with that value. */
export type LabelFilter = readonly string[];

/**
 * A Docker host, asked over its API: one connection, no process for a question. What is asked for and not there is
 * null or false; whatever else goes wrong rejects with an `EngineError`.
 */
export interface ContainerEngine {
  describe(signal: AbortSignal): Promise<EngineInfo>;
  /** Also those that do not run. */
  listContainers(labels: LabelFilter, signal: AbortSignal): Promise<readonly Container[]>;
  listNetworks(labels: LabelFilter, signal: AbortSignal): Promise<readonly EngineNetwork[]>;
  listVolumes(labels: LabelFilter, signal: AbortSignal): Promise<readonly EngineVolume[]>;
  /** Names with tags of the images that are there. */
  listImages(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * The file of a container, whether it runs or not; null when container or file are not there. Symbolic links are not
   * followed, and are no files.
   */
  readFile(container: string, path: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Folders on the way are made. False when the container is not there. */
  writeFile(container: string, path: string, content: string, signal: AbortSignal): Promise<boolean>;
  /** The end of what a container wrote. */
  readLog(container: string, options: { readonly lines: number }, signal: AbortSignal): Promise<readonly string[]>;
  /** False when it is not there. Those that already are as wanted stay so. */
  startContainer(container: string, signal: AbortSignal): Promise<boolean>;
  stopContainer(container: string, options: { readonly graceSeconds: number }, signal: AbortSignal): Promise<boolean>;
  /** With its anonymous volumes, running or not. */
  removeContainer(container: string, signal: AbortSignal): Promise<boolean>;
  /** False when it is not there. A name that another one has is refused. */
  renameContainer(container: string, name: string, signal: AbortSignal): Promise<boolean>;
  /** Takes a container, running or not, off a network. False when it was not on it, or one of the two is not there. */
  disconnectContainer(network: string, container: string, signal: AbortSignal): Promise<boolean>;
  removeNetwork(network: string, signal: AbortSignal): Promise<boolean>;
  removeVolume(volume: string, signal: AbortSignal): Promise<boolean>;
}

const notHere = (): Promise<never> =>
  Promise.reject(new EngineError("unreachable", "Docker is asked by workers only, and this process has none."));

/** For processes that ask no host. */
export const NO_ENGINE: ContainerEngine = {
  describe: notHere,
  listContainers: notHere,
  listNetworks: notHere,
  listVolumes: notHere,
  listImages: notHere,
  readFile: notHere,
  writeFile: notHere,
  readLog: notHere,
  startContainer: notHere,
  stopContainer: notHere,
  removeContainer: notHere,
  renameContainer: notHere,
  disconnectContainer: notHere,
  removeNetwork: notHere,
  removeVolume: notHere,
};

/** `unreachable`: nobody answered, so nothing is known. `refused`: the engine answered that it does not want to. */
export type EngineErrorReason = "unreachable" | "refused";

export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly reason: EngineErrorReason;

  constructor(reason: EngineErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
