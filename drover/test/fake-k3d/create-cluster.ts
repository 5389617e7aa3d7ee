import { parse } from "yaml";
import { DEFAULT_IMAGE, type K3dConfig, labelsOf, matches, nodeList, portBindings, VOLUMES } from "./config.ts";
import { configureBalancer } from "./configure-balancer.ts";
import { K3dFailure, type K3dRun, message } from "./run.ts";
import { startServerOrAgent } from "./start-node.ts";

/** As `k3d cluster create --config -` with the rollback turned off, which is the only way that is used. */
export async function createCluster(run: K3dRun): Promise<void> {
  const config = parse(run.stdin) as K3dConfig;
  const { name } = config.metadata;
  const { docker } = run;
  if (config.options.k3d.disableRollback !== true) throw new Error("The fake k3d cannot roll back.");
  await run.say("Using config file STDIN (k3d.io/v1alpha5#simple)");
  if ((await docker.list(name)).length > 0) {
    await run.say(`Failed to create cluster '${name}' because a cluster with that name already exists`, "fatal");
    throw new K3dFailure();
  }
  await stage(run, "Failed Cluster Preparation", () => prepare(run, config));
  await stage(run, "failed Cluster Creation", () => createNodes(run, config));
  await stage(run, "Failed Cluster Start", () => start(run, config));
  await run.say("Injecting records for hostAliases (incl. host.k3d.internal) into CoreDNS configmap...");
  await run.say(`Cluster '${name}' created successfully!`);
}

async function stage(run: K3dRun, failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name === "AbortError") throw error;
    await run.say(`${failure}: ${error.message}`, "error");
    await run.say("Cluster creation FAILED, rollback deactivated.", "fatal");
    throw new K3dFailure();
  }
}

const networkOf = (config: K3dConfig): string => config.network ?? `k3d-${config.metadata.name}`;

async function prepare(run: K3dRun, config: K3dConfig): Promise<void> {
  const { docker } = run;
  const { name } = config.metadata;
  await run.say("Prep: Network");
  if (config.network === undefined) {
    const IPAM = config.subnet === undefined ? {} : { IPAM: { Config: [{ Subnet: config.subnet }] } };
    const network = networkOf(config);
    try {
      await docker.ask("POST", "/networks/create", { Name: network, Labels: { app: "k3d" }, ...IPAM });
    } catch (error) {
      throw new Error(
        `Failed Network Preparation: failed to create cluster network: docker failed to create new network '${network}': Error response from daemon: ${message(error)}`,
      );
    }
    await run.say(`Created network '${network}'`);
  }
  const volume = `k3d-${name}-images`;
  await docker.ask("POST", "/volumes/create", { Name: volume, Labels: { app: "k3d", "k3d.cluster": name } });
  await run.say(`Created image volume ${volume}`);
  const registry = config.registries?.create;
  if (registry !== undefined) {
    await run.say(`Creating node '${registry.name}'`);
    await create(run, registry.name, registry.image ?? "docker.io/library/registry:2", {
      labels: { app: "k3d", "k3d.cluster": name, "k3d.role": "registry" },
      network: networkOf(config),
      ports: { "5000/tcp": [{ HostIp: registry.host, HostPort: registry.hostPort }] },
    });
    await run.say(`Successfully created registry '${registry.name}'`);
  }
  await run.say("Starting new tools node...");
  await create(run, `k3d-${name}-tools`, run.environment.K3D_IMAGE_TOOLS ?? "ghcr.io/k3d-io/k3d-tools:5.9.0", {
    labels: { app: "k3d", "k3d.cluster": name, "k3d.role": "noRole" },
    network: networkOf(config),
    binds: [`${volume}:/k3d/images`],
  });
  await run.say(`Starting node 'k3d-${name}-tools'`);
  await docker.start(`k3d-${name}-tools`);
}

async function createNodes(run: K3dRun, config: K3dConfig): Promise<void> {
  const { name } = config.metadata;
  const volume = `k3d-${name}-images:/k3d/images`;
  for (const node of nodeList(config)) {
    await run.say(`Creating node '${node.name}'`);
    const volumes = (config.volumes ?? []).filter(({ nodeFilters }) => matches(node, nodeFilters));
    await create(run, node.name, config.image ?? DEFAULT_IMAGE, {
      labels: labelsOf(config, node.role),
      network: networkOf(config),
      ports: portBindings(config, node),
      binds: [volume, ...volumes.map((one) => one.volume)],
      volumes: VOLUMES,
    });
  }
  if (config.options.k3d.disableLoadbalancer) return;
  const balancer = { name: `k3d-${name}-serverlb`, role: "loadbalancer", index: 0 } as const;
  await run.say(`Creating LoadBalancer '${balancer.name}'`);
  const image = run.environment.K3D_IMAGE_LOADBALANCER ?? "ghcr.io/k3d-io/k3d-proxy:5.9.0";
  await create(run, balancer.name, image, {
    labels: labelsOf(config, "loadbalancer"),
    network: networkOf(config),
    ports: portBindings(config, balancer),
    binds: [volume],
  });
}

async function start(run: K3dRun, config: K3dConfig): Promise<void> {
  const { docker } = run;
  const { name } = config.metadata;
  await run.say("Using the k3d-tools node to gather environment information");
  await docker.remove(`k3d-${name}-tools`);
  await run.say(`Starting cluster '${name}'`);
  const nodes = nodeList(config);
  for (const role of ["server", "agent"] as const) {
    const group = nodes.filter((node) => node.role === role);
    if (group.length > 0) await run.say(`Starting ${role}s...`);
    for (const node of group) await startServerOrAgent(run, config, node);
  }
  await run.say("Starting helpers...");
  if (config.registries?.create !== undefined) await docker.start(config.registries.create.name);
  if (config.options.k3d.disableLoadbalancer) return;
  const balancer = `k3d-${name}-serverlb`;
  await run.say(`Starting node '${balancer}'`);
  await configureBalancer(run, balancer, nodes, config.ports ?? []);
  try {
    await docker.start(balancer);
  } catch (error) {
    throw new Error(
      `Failed to add one or more helper nodes: runtime failed to start node '${balancer}': docker failed to start container for node '${balancer}': Error response from daemon: ${message(error)}`,
    );
  }
}

type Details = Omit<Parameters<K3dRun["docker"]["create"]>[1], "image">;

async function create(run: K3dRun, name: string, image: string, details: Details): Promise<void> {
  try {
    await run.docker.create(name, { image, ...details });
  } catch (error) {
    const why = message(error).startsWith("No such image")
      ? `docker failed to pull image '${image}': docker failed to pull the image '${image}': Error response from daemon: no such host`
      : message(error);
    throw new Error(
      `failed to create node: runtime failed to create node '${name}': failed to create container for node '${name}': ${why}`,
    );
  }
}
