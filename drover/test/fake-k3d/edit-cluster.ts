import { addBinding } from "./config.ts";
import { configureBalancer } from "./configure-balancer.ts";
import { flagsOf, K3dFailure, type K3dRun, message } from "./run.ts";

/** The new load balancer has the labels of k3d only: those that it was given for the cluster are lost. */
export async function editCluster(run: K3dRun, args: readonly string[]): Promise<void> {
  const [cluster = ""] = args;
  const { docker } = run;
  const name = `k3d-${cluster}-serverlb`;
  const old = (await docker.list(cluster)).find(({ Names }) => Names.includes(`/${name}`));
  if (old === undefined) throw new K3dFailure();
  const ports: Parameters<typeof addBinding>[0] = {};
  for (const { IP, PublicPort, PrivatePort, Type } of old.Ports)
    addBinding(ports, `${IP}:${PublicPort}:${PrivatePort}/${Type}`);
  for (const port of flagsOf(args, "--port-add")) addBinding(ports, port.replace(/@loadbalancer$/, ""));
  await run.say(`Renaming existing node ${name} to ${name}-LkiBJ...`);
  await docker.ask("POST", `/containers/${old.Id}/rename?name=${name}-LkiBJ`);
  await run.say(`Creating new node ${name}...`);
  const own = Object.entries(old.Labels).filter(([key]) => key === "app" || key.startsWith("k3d."));
  await docker.create(name, {
    image: old.Image,
    labels: Object.fromEntries(own),
    network: old.Labels["k3d.cluster.network"] ?? "",
    ports,
    binds: [`k3d-${cluster}-images:/k3d/images`],
  });
  await run.say(`Stopping existing node ${name}-LkiBJ...`);
  await docker.ask("POST", `/containers/${old.Id}/stop`);
  await run.say(`Starting new node ${name}...`);
  const nodes = (await docker.list(cluster)).map(({ Names, Labels }) => ({
    name: Names[0]?.slice(1) ?? "",
    role: Labels["k3d.role"] ?? "",
  }));
  const published = Object.keys(ports).filter((port) => port !== "6443/tcp");
  await configureBalancer(
    run,
    name,
    nodes,
    published.map((port) => ({ port })),
  );
  try {
    await docker.start(name);
  } catch (error) {
    await run.say(`failed to replace node: Error response from daemon: ${message(error)}`, "fatal");
    throw new K3dFailure();
  }
  await run.say(`Deleting old node ${name}-LkiBJ...`);
  await docker.remove(old.Id);
  await run.say(`Successfully updated ${cluster}`);
}
