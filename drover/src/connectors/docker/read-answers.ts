import {
  type Container,
  type ContainerMount,
  type ContainerState,
  EngineError,
  type EngineInfo,
  type EngineNetwork,
  type EngineVolume,
  type PublishedPort,
} from "../../ports/container-engine.ts";

/* What the engine answers, in its own words. Everything may be missing: engines differ by years. */

interface RawPort {
  readonly IP?: string;
  readonly PrivatePort?: number;
  readonly PublicPort?: number;
  readonly Type?: string;
}

interface RawContainer {
  readonly Id?: string;
  readonly Names?: readonly string[] | null;
  readonly Image?: string;
  readonly State?: string;
  readonly Created?: number;
  readonly Labels?: Readonly<Record<string, string>> | null;
  readonly Ports?: readonly RawPort[] | null;
  readonly NetworkSettings?: { readonly Networks?: Readonly<Record<string, { readonly IPAddress?: string }>> | null };
  readonly Mounts?:
    | readonly {
        readonly Type?: string;
        readonly Name?: string;
        readonly Source?: string;
        readonly Destination?: string;
      }[]
    | null;
}

export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new EngineError("refused", "Docker answered something that is no JSON.", { cause });
  }
}

/** The text of an answer that is an error. */
export function readRefusal(body: Buffer): string {
  try {
    const { message } = JSON.parse(body.toString("utf8")) as { message?: unknown };
    if (typeof message === "string" && message !== "") return message;
  } catch {
    // Not every refusal comes from the engine itself.
  }
  return body.toString("utf8").trim() || "no reason was given";
}

export function readContainers(answer: unknown): readonly Container[] {
  return asList<RawContainer>(answer).map((raw) => ({
    id: raw.Id ?? "",
    // Containers that others link to have further names, with the name of the other before a slash.
    name: raw.Names?.map((name) => name.replace(/^\//, "")).find((name) => !name.includes("/")) ?? "",
    image: raw.Image ?? "",
    state: (raw.State ?? "dead") as ContainerState,
    labels: raw.Labels ?? {},
    ports: (raw.Ports ?? []).flatMap(readPort),
    networks: Object.keys(raw.NetworkSettings?.Networks ?? {}),
    addresses: readAddresses(raw),
    mounts: (raw.Mounts ?? []).map(
      ({ Type, Name, Source, Destination }): ContainerMount => ({
        source: Source ?? "",
        destination: Destination ?? "",
        volume: Type === "volume" ? (Name ?? null) : null,
      }),
    ),
    createdAt: (raw.Created ?? 0) * 1000,
  }));
}

function readPort({ IP, PrivatePort, PublicPort, Type }: RawPort): readonly PublishedPort[] {
  if (PublicPort === undefined || PrivatePort === undefined) return [];
  const hostAddress = IP === undefined || IP === "" ? "0.0.0.0" : IP;
  return [{ containerPort: PrivatePort, protocol: Type ?? "tcp", hostAddress, hostPort: PublicPort }];
}

function readAddresses({ NetworkSettings }: RawContainer): Readonly<Record<string, string>> {
  const networks = Object.entries(NetworkSettings?.Networks ?? {});
  return Object.fromEntries(
    networks.flatMap(([name, { IPAddress = "" }]) => (IPAddress === "" ? [] : [[name, IPAddress]])),
  );
}

export function readNetworks(answer: unknown): readonly EngineNetwork[] {
  interface RawNetwork {
    readonly Id?: string;
    readonly Name?: string;
    readonly Labels?: Readonly<Record<string, string>> | null;
    readonly IPAM?: { readonly Config?: readonly { readonly Subnet?: string }[] | null } | null;
  }
  return asList<RawNetwork>(answer).map(({ Id, Name, Labels, IPAM }) => ({
    id: Id ?? "",
    name: Name ?? "",
    labels: Labels ?? {},
    subnets: (IPAM?.Config ?? []).flatMap(({ Subnet }) => (Subnet === undefined ? [] : [Subnet])),
  }));
}

export function readVolumes(answer: unknown): readonly EngineVolume[] {
  interface RawVolume {
    readonly Name?: string;
    readonly Labels?: Readonly<Record<string, string>> | null;
  }
  const { Volumes } = asObject<{ readonly Volumes?: unknown }>(answer);
  return asList<RawVolume>(Volumes ?? []).map(({ Name, Labels }) => ({ name: Name ?? "", labels: Labels ?? {} }));
}

export function readImages(answer: unknown): readonly string[] {
  const images = asList<{ readonly RepoTags?: readonly string[] | null }>(answer);
  return images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((name) => name !== "<none>:<none>");
}

export function readInfo(answer: unknown, apiVersion: string): EngineInfo {
  const info = asObject<{
    readonly ServerVersion?: string;
    readonly OperatingSystem?: string;
    readonly KernelVersion?: string;
    readonly CgroupVersion?: string;
    readonly NCPU?: number;
    readonly MemTotal?: number;
    readonly DockerRootDir?: string;
  }>(answer);
  return {
    version: info.ServerVersion ?? "",
    apiVersion,
    operatingSystem: info.OperatingSystem ?? "",
    kernel: info.KernelVersion ?? "",
    cgroupVersion: info.CgroupVersion === "2" ? 2 : 1,
    cpus: info.NCPU ?? 0,
    memoryBytes: info.MemTotal ?? 0,
    dataRoot: info.DockerRootDir ?? "",
  };
}

function asList<T>(answer: unknown): readonly T[] {
  if (Array.isArray(answer)) return answer as readonly T[];
  throw new EngineError("refused", "Docker answered no list where one was expected.");
}

function asObject<T>(answer: unknown): T {
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer as T;
  throw new EngineError("refused", "Docker answered no object where one was expected.");
}
