import { expect, it } from "vitest";
import { k3dSpec } from "../../../test/fake-k3d/world.ts";
import { configFileOf, type Settled } from "./config-file.ts";

const SETTLED: Settled = {
  image: "example/k3s:v1.34.4-k3s1",
  registryImage: "example/registry:2",
  apiPort: 20_000,
  ports: [],
  subnet: "10.210.0.0/24",
  registryPort: 20_009,
  token: null,
  credentials: new Map(),
  timeoutSeconds: 180,
  labels: { "drover.dev/cluster": "c1" },
};

const write = (k3d: Record<string, unknown>, more: Partial<Settled> = {}, rest: Record<string, unknown> = {}) =>
  JSON.parse(configFileOf("dev", k3dSpec(k3d, rest), { ...SETTLED, ...more }));

it("says everything that the smallest cluster needs, and leaves the user's kubeconfig alone", () => {
  expect(write({})).toEqual({
    apiVersion: "k3d.io/v1alpha5",
    kind: "Simple",
    metadata: { name: "dev" },
    servers: 1,
    agents: 0,
    image: "example/k3s:v1.34.4-k3s1",
    subnet: "10.210.0.0/24",
    kubeAPI: { host: "127.0.0.1", hostIP: "127.0.0.1", hostPort: "20000" },
    ports: [],
    volumes: [],
    env: [],
    hostAliases: [],
    options: {
      k3d: { wait: true, timeout: "180s", disableLoadbalancer: false, disableRollback: true },
      k3s: {
        extraArgs: [
          { arg: "--cluster-cidr=10.244.0.0/16", nodeFilters: ["server:*"] },
          { arg: "--service-cidr=10.96.0.0/16", nodeFilters: ["server:*"] },
        ],
      },
      kubeconfig: { updateDefaultKubeconfig: false, switchCurrentContext: false },
      runtime: { labels: [{ label: "drover.dev/cluster=c1", nodeFilters: ["all"] }] },
    },
  });
});

it("publishes ports where the spec says, past the load balancer if need be", () => {
  const port = { hostPort: 8080, containerPort: 80, protocol: "TCP", listenAddress: "127.0.0.1" } as const;
  const ports = [port, { ...port, node: "worker" as const, protocol: "UDP" as const, listenAddress: "::1" }];
  expect(write({ agents: 1 }, { ports }).ports).toEqual([
    { port: "127.0.0.1:8080:80/tcp", nodeFilters: ["loadbalancer"] },
    { port: "[::1]:8080:80/udp", nodeFilters: ["agent:0:direct"] },
  ]);
  expect(write({ loadBalancer: false }, { ports: [port] }).ports[0].nodeFilters).toEqual(["server:0:direct"]);
});

it("passes on volumes, variables, arguments, memory and names", () => {
  const config = write({
    agents: 1,
    volumes: [{ source: "/srv", destination: "/data", readOnly: true, nodes: ["server:0"] }],
    env: [{ name: "PROXY", value: "a=b@c" }],
    k3sArgs: [{ arg: "--disable=traefik" }],
    hostAliases: [{ ip: "10.0.0.9", hostnames: ["git.example"] }],
    serverMemory: "2g",
    agentMemory: "1g",
  });
  expect(config.volumes).toEqual([{ volume: "/srv:/data:ro", nodeFilters: ["server:0"] }]);
  expect(config.env).toEqual([{ envVar: "PROXY=a=b@c", nodeFilters: ["server:*", "agent:*"] }]);
  expect(config.options.k3s.extraArgs).toContainEqual({ arg: "--disable=traefik", nodeFilters: ["server:*"] });
  expect(config.hostAliases).toEqual([{ ip: "10.0.0.9", hostnames: ["git.example"] }]);
  expect(config.options.runtime).toMatchObject({ serversMemory: "2g", agentsMemory: "1g" });
});

it("makes, uses and mirrors registries, with their credentials", () => {
  const registries = {
    create: { name: "dev-registry" },
    use: ["team-registry"],
    mirrors: [{ host: "docker.io", endpoints: ["https://mirror.example:5000"], insecure: true }],
  };
  const credentials = new Map([["docker.io", { username: "ada", password: "secret" }]]);
  const config = write({ registries }, { credentials }).registries;
  expect(config).toMatchObject({
    create: { name: "dev-registry", host: "127.0.0.1", hostPort: "20009", image: "example/registry:2" },
    use: ["team-registry"],
  });
  expect(JSON.parse(config.config)).toEqual({
    mirrors: { "docker.io": { endpoint: ["https://mirror.example:5000"] } },
    configs: {
      "mirror.example:5000": {
        auth: { username: "ada", password: "secret" },
        tls: { insecure_skip_verify: true },
      },
    },
  });
});

it("tells k3s about networks that are not its own", () => {
  const networking = { dnsDomain: "dev.local", kubeProxyMode: "none", cni: { type: "none" } };
  const args = write({}, {}, { networking }).options.k3s.extraArgs.map(({ arg }: { arg: string }) => arg);
  expect(args).toEqual([
    "--cluster-cidr=10.244.0.0/16",
    "--service-cidr=10.96.0.0/16",
    "--cluster-domain=dev.local",
    "--disable-kube-proxy",
    "--flannel-backend=none",
    "--disable-network-policy",
  ]);
});

it("joins a network that exists, and takes no name for the API where every address listens", () => {
  const config = write({ network: "shared" }, { subnet: null }, { networking: { apiServer: { address: "0.0.0.0" } } });
  expect([config.network, config.subnet, config.kubeAPI]).toEqual([
    "shared",
    undefined,
    { hostIP: "0.0.0.0", hostPort: "20000" },
  ]);
});
