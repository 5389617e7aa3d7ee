import { makeTar } from "../../src/lib/tar.ts";
import { isPortFree } from "./is-port-free.ts";
import { type FakeContainer, type FakeMount, type FakeState, newId, type PortBinding, Refusal } from "./state.ts";

export interface CreateRequest {
  readonly Image?: string;
  readonly Labels?: Readonly<Record<string, string>>;
  readonly Tty?: boolean;
  readonly Volumes?: Readonly<Record<string, object>>;
  readonly HostConfig?: {
    readonly PortBindings?: Readonly<Record<string, readonly PortBinding[]>>;
    /** `source:destination[:ro]`; the source is a path or the name of a volume. */
    readonly Binds?: readonly string[];
    readonly NetworkMode?: string;
  };
}

export function createContainer(state: FakeState, name: string, request: CreateRequest, now: number): { Id: string } {
  const { Image = "", Labels = {}, Tty = false, Volumes = {}, HostConfig = {} } = request;
  if (!state.images.has(Image)) throw new Refusal(404, `No such image: ${Image}`);
  assertNameFree(state, name);
  const container: FakeContainer = {
    ...{ id: newId(), name, image: Image, labels: Labels, tty: Tty },
    bindings: HostConfig.PortBindings ?? {},
    mounts: [...(HostConfig.Binds ?? []).map((bind) => bindMount(state, bind)), ...anonymousVolumes(state, Volumes)],
    network: HostConfig.NetworkMode ?? "bridge",
    created: Math.floor(now / 1000),
    files: new Map(),
    log: [],
    ...{ state: "created", address: "", ports: [] },
  };
  state.containers.set(container.id, container);
  return { Id: container.id };
}

function assertNameFree(state: FakeState, name: string): void {
  const holder = [...state.containers.values()].find((other) => other.name === name);
  if (holder === undefined) return;
  const next = "You have to remove (or rename) that container to be able to reuse that name.";
  throw new Refusal(
    409,
    `Conflict. The container name "/${name}" is already in use by container "${holder.id}". ${next}`,
  );
}

export function renameContainer(state: FakeState, container: FakeContainer, name: string): void {
  assertNameFree(state, name);
  container.name = name;
}

function bindMount(state: FakeState, bind: string): FakeMount {
  const [source = "", destination = "", mode] = bind.split(":");
  const shared = { Destination: destination, RW: mode !== "ro" };
  if (source.startsWith("/")) return { Type: "bind", Source: source, ...shared };
  if (!state.volumes.has(source)) state.volumes.set(source, { name: source, labels: {} });
  return { Type: "volume", Name: source, Source: `/var/lib/docker/volumes/${source}/_data`, ...shared };
}

function anonymousVolumes(state: FakeState, paths: Readonly<Record<string, object>>): readonly FakeMount[] {
  return Object.keys(paths).map((path) => {
    const name = newId();
    state.volumes.set(name, { name, labels: {} });
    return { Type: "volume", Name: name, Source: "", Destination: path, RW: true };
  });
}

/** Ports are taken one by one; the first that somebody else has, another container or any process, ends the start. */
export async function startContainer(state: FakeState, container: FakeContainer): Promise<void> {
  if (container.state === "running") return;
  state.findNetwork(container.network);
  const ports: FakeContainer["ports"][number][] = [];
  for (const [key, bindings] of Object.entries(container.bindings)) {
    const [port = "0", protocol = "tcp"] = key.split("/");
    for (const { HostIp, HostPort } of bindings) {
      const IP = HostIp === undefined || HostIp === "" ? "0.0.0.0" : HostIp;
      const wanted = Number(HostPort ?? 0);
      const PublicPort = wanted === 0 ? chooseFreePort(state) : wanted;
      await assertPortFree(state, container, IP, PublicPort, protocol);
      ports.push({ IP, PrivatePort: Number(port), PublicPort, Type: protocol });
    }
  }
  container.ports = ports;
  container.address = state.nextAddress(container.network);
  container.state = "running";
}

async function assertPortFree(
  state: FakeState,
  { name, id }: FakeContainer,
  ip: string,
  port: number,
  protocol: string,
): Promise<void> {
  const start = `driver failed programming external connectivity on endpoint ${name} (${id}):`;
  if (portsTaken(state).some((other) => other.port === port && overlaps(other.ip, ip))) {
    throw new Refusal(500, `${start} Bind for ${ip}:${port} failed: port is already allocated`);
  }
  if (!(await isPortFree(ip, port))) {
    const cause = `listen ${protocol}4 ${ip}:${port}: bind: address already in use`;
    throw new Refusal(500, `${start} Error starting userland proxy: ${cause}`);
  }
}

function portsTaken(state: FakeState): readonly { ip: string; port: number }[] {
  return [...state.containers.values()].flatMap(({ ports }) =>
    ports.map(({ IP, PublicPort }) => ({ ip: IP, port: PublicPort })),
  );
}

const overlaps = (left: string, right: string): boolean => left === right || left === "0.0.0.0" || right === "0.0.0.0";

function chooseFreePort(state: FakeState): number {
  const taken = new Set(portsTaken(state).map(({ port }) => port));
  for (let port = 49_153; ; port += 1) if (!taken.has(port)) return port;
}

export function stopContainer(container: FakeContainer): void {
  if (container.state !== "running") return;
  Object.assign(container, { state: "exited", ports: [], address: "" });
}

/** With its anonymous volumes: those that nobody gave a name. */
export function removeContainer(state: FakeState, container: FakeContainer, withVolumes: boolean): void {
  state.containers.delete(container.id);
  if (!withVolumes) return;
  for (const { Name } of container.mounts)
    if (Name !== undefined && /^[0-9a-f]{64}$/.test(Name)) state.volumes.delete(Name);
}

export function describeListed(container: FakeContainer): object {
  const { id, name, image, labels, created, mounts, network, address, ports, state } = container;
  return {
    Id: id,
    Names: [`/${name}`],
    Image: image,
    Created: created,
    Labels: labels,
    State: state,
    Ports: ports,
    NetworkSettings: { Networks: { [network]: { IPAddress: address } } },
    Mounts: mounts,
  };
}

export function describeInspected(container: FakeContainer): object {
  const { id, name, image, labels, tty, state } = container;
  return { Id: id, Name: `/${name}`, Config: { Image: image, Labels: labels, Tty: tty }, State: { Status: state } };
}

export function archiveOf(container: FakeContainer, path: string): Buffer {
  const content = container.files.get(path);
  if (content === undefined) throw new Refusal(404, `Could not find the file ${path} in container ${container.id}`);
  return makeTar([{ name: path.split("/").at(-1) ?? "", content: content.toString("utf8") }], 0);
}

/** The last lines; in frames unless the container has a terminal. */
export function logOf({ log, tty }: FakeContainer, tail: number): Buffer {
  const lines = log.slice(-tail).map((line) => Buffer.from(`${line}${tty ? "\r" : ""}\n`));
  if (tty) return Buffer.concat(lines);
  return Buffer.concat(
    lines.flatMap((line) => {
      const header = Buffer.alloc(8);
      header[0] = 1;
      header.writeUInt32BE(line.length, 4);
      return [header, line];
    }),
  );
}
