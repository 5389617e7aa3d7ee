import type { StepContext } from "../../../ports/step.ts";
import { namesOf } from "../declared.ts";
import type { K3dHost } from "../host.ts";
import { LOAD_BALANCER_CONFIG } from "../load-balancer-config.ts";
import { isStopped } from "../sort-out.ts";

/**
 * To add a port, k3d gives the load balancer another name, makes a new one, and removes the old one. When it is ended in
 * between, the new one stays if it was configured already, otherwise the old one gets its place back.
 */
export async function mendLoadBalancer(host: K3dHost, { cluster, signal, log }: StepContext): Promise<void> {
  const { engine } = host.parts;
  const { loadBalancers } = await host.see(cluster, signal);
  const { loadBalancer: name } = namesOf(cluster.name);
  const current = loadBalancers.find((container) => container.name === name);
  const [old, ...older] = loadBalancers.filter((container) => container !== current);
  if (old === undefined) return;
  const isWhole = current !== undefined && !isStopped(current);
  if (isWhole && (await engine.readFile(current.id, LOAD_BALANCER_CONFIG, signal)) !== null) {
    log(`Removing ${old.name}, in whose place ${name} came.`);
    await Promise.all([old, ...older].map(({ id }) => engine.removeContainer(id, signal)));
    return;
  }
  log(`Putting ${old.name} back in the place of ${name}, which was not finished.`);
  if (current !== undefined) await engine.removeContainer(current.id, signal);
  await engine.renameContainer(old.id, name, signal);
  await engine.startContainer(old.id, signal);
}
