import { VOLUMES } from "./config.ts";
import type { ListedContainer } from "./docker-client.ts";
import { flagsOf, K3dFailure, type K3dRun } from "./run.ts";
import { startNode } from "./start-node.ts";

/** `k3d node create X` makes `k3d-X-0`; labels, token and volumes come from a node that is there. */
export async function createNode(run: K3dRun, args: readonly string[]): Promise<void> {
  const [name = ""] = args;
  const [cluster = ""] = flagsOf(args, "--cluster");
  const [role = "agent"] = flagsOf(args, "--role");
  const { docker } = run;
  await run.say(`Adding 1 node(s) to the runtime local cluster '${cluster}'...`);
  const source = (await docker.list(cluster)).find(isNode);
  if (source === undefined) {
    await run.say(`Failed to add nodes to cluster '${cluster}': no nodes found`, "fatal");
    throw new K3dFailure();
  }
  const given = flagsOf(args, "--runtime-label").map((label) => label.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const container = `k3d-${name}-0`;
  await docker.create(container, {
    image: source.Image,
    labels: { ...source.Labels, "k3d.role": role, ...Object.fromEntries(given) },
    network: source.Labels["k3d.cluster.network"] ?? "",
    binds: [`k3d-${cluster}-images:/k3d/images`],
    volumes: VOLUMES,
  });
  await run.say(`Starting node '${container}'`);
  await startNode(run, container);
  await run.say("Successfully created 1 node(s)!");
}

export async function deleteNode(run: K3dRun, [name = ""]: readonly string[]): Promise<void> {
  await run.docker.remove(name);
  await run.say("Successfully deleted 1 node(s)!");
}

const isNode = ({ Labels }: ListedContainer): boolean => ["server", "agent"].includes(Labels["k3d.role"] ?? "");
