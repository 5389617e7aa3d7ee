import { posix } from "node:path";
import { readFirstFile } from "../../src/lib/read-tar.ts";
import {
  archiveOf,
  type CreateRequest,
  createContainer,
  describeInspected,
  describeListed,
  logOf,
  removeContainer,
  renameContainer,
  startContainer,
  stopContainer,
} from "./containers.ts";
import { createNetwork, disconnectContainer, type NetworkRequest, removeNetwork, removeVolume } from "./networks.ts";
import { type FakeState, newId, Refusal } from "./state.ts";

export interface FakeRequest {
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** What stood in the place of `*`. */
  readonly ref: string;
}

export interface FakeAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: Buffer;
}

type Handler = (state: FakeState, request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

const ok = (json: unknown): FakeAnswer => ({ status: 200, json });
const done: FakeAnswer = { status: 204 };
const parse = <T>({ body }: FakeRequest): T => JSON.parse(body.toString("utf8")) as T;

function labelsOf({ query }: FakeRequest): readonly string[] {
  const { label = [] } = JSON.parse(query.get("filters") ?? "{}") as {
    label?: readonly string[] | Readonly<Record<string, boolean>>;
  };
  // Either is understood by the real one; its own command line sends the second.
  return Array.isArray(label) ? label : Object.keys(label);
}

function isLabelled(labels: Readonly<Record<string, string>>, wanted: readonly string[]): boolean {
  return wanted.every((filter) => {
    const [name = "", value] = filter.split(/=(.*)/s);
    return Object.hasOwn(labels, name) && (value === undefined || labels[name] === value);
  });
}

/** The part of the Engine API that Drover and the fakes of kind and k3d use, and the `/fake` part that no engine has. */
export const ROUTES: Readonly<Record<string, Handler>> = {
  "GET /_ping": () => ok("OK"),
  "GET /info": () => ok(INFO),
  "GET /containers/json": (state, request) => {
    const wanted = labelsOf(request);
    const all = [...state.containers.values()].filter(({ labels }) => isLabelled(labels, wanted));
    const shown = request.query.get("all") === "1" ? all : all.filter((container) => container.state === "running");
    return ok(shown.map(describeListed));
  },
  "POST /containers/create": (state, request) => ({
    status: 201,
    json: createContainer(state, request.query.get("name") ?? newId(), parse<CreateRequest>(request), Date.now()),
  }),
  "GET /containers/*/json": (state, { ref }) => ok(describeInspected(state.findContainer(ref))),
  "POST /containers/*/start": async (state, { ref }) => {
    const container = state.findContainer(ref);
    if (container.state === "running") return { status: 304 };
    await startContainer(state, container);
    return done;
  },
  "POST /containers/*/stop": (state, { ref }) => {
    const container = state.findContainer(ref);
    if (container.state !== "running") return { status: 304 };
    stopContainer(container);
    return done;
  },
  "POST /containers/*/wait": (state, { ref }) => ok({ StatusCode: state.findContainer(ref) && 0 }),
  "DELETE /containers/*": (state, { ref, query }) => {
    const container = state.findContainer(ref);
    if (container.state === "running" && query.get("force") !== "1") {
      throw new Refusal(409, `You cannot remove a running container ${container.id}. Stop the container first.`);
    }
    removeContainer(state, container, query.get("v") === "1");
    return done;
  },
  "GET /containers/*/archive": (state, { ref, query }) => ({
    status: 200,
    bytes: archiveOf(state.findContainer(ref), query.get("path") ?? ""),
  }),
  /** Takes one file. */
  "PUT /containers/*/archive": (state, { ref, query, body }) => {
    const name = body.toString("latin1", 0, 100).replace(/\0.*$/s, "");
    state
      .findContainer(ref)
      .files.set(posix.join(query.get("path") ?? "/", name), readFirstFile(body) ?? Buffer.alloc(0));
    return { status: 200 };
  },
  "POST /containers/*/rename": (state, { ref, query }) => {
    renameContainer(state, state.findContainer(ref), query.get("name") ?? "");
    return done;
  },
  "GET /containers/*/logs": (state, { ref, query }) => ({
    status: 200,
    bytes: logOf(state.findContainer(ref), Number(query.get("tail") ?? "100")),
  }),
  "POST /fake/containers/*/log": (state, { ref, body }) => {
    state.findContainer(ref).log.push(...body.toString("utf8").split("\n"));
    return done;
  },
  "GET /networks": (state, request) => {
    const wanted = labelsOf(request);
    const found = [...state.networks.values()].filter(({ labels }) => isLabelled(labels, wanted));
    return ok(
      found.map(({ id, name, labels, subnet }) => ({
        ...{ Id: id, Name: name, Labels: labels },
        IPAM: { Config: [{ Subnet: subnet }] },
      })),
    );
  },
  "POST /networks/create": (state, request) => ({
    status: 201,
    json: createNetwork(state, parse<NetworkRequest>(request)),
  }),
  "POST /networks/*/disconnect": (state, request) => {
    const { Container } = parse<{ Container: string }>(request);
    disconnectContainer(state, request.ref, Container);
    return { status: 200 };
  },
  "DELETE /networks/*": (state, { ref }) => {
    removeNetwork(state, ref);
    return done;
  },
  "GET /volumes": (state, request) => {
    const wanted = labelsOf(request);
    const found = [...state.volumes.values()].filter(({ labels }) => isLabelled(labels, wanted));
    return ok({ Volumes: found.map(({ name, labels }) => ({ Name: name, Labels: labels })), Warnings: null });
  },
  "POST /volumes/create": (state, request) => {
    const { Name: name = newId(), Labels: labels = {} } = parse<{ Name?: string; Labels?: Record<string, string> }>(
      request,
    );
    if (!state.volumes.has(name)) state.volumes.set(name, { name, labels });
    return { status: 201, json: { Name: name } };
  },
  "DELETE /volumes/*": (state, { ref }) => {
    removeVolume(state, ref);
    return done;
  },
  "GET /images/json": (state) => ok([...state.images].map((name) => ({ RepoTags: [name] }))),
};

const INFO = {
  ServerVersion: "28.2.2",
  OperatingSystem: "Fake Linux",
  KernelVersion: "6.1.0",
  CgroupVersion: "2",
  NCPU: 2,
  MemTotal: 8 * 1024 ** 3,
  DockerRootDir: "/var/lib/docker",
};
