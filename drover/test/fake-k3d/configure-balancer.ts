import { stringify } from "yaml";
import type { K3dRun } from "./run.ts";

/** k3d does this when it starts a load balancer for the first time, and not again when nodes come or go. */
export async function configureBalancer(
  run: K3dRun,
  balancer: string,
  nodes: readonly { readonly name: string; readonly role: string }[],
  ports: readonly { readonly port: string }[],
): Promise<void> {
  const names = (...roles: readonly string[]) =>
    nodes.filter(({ role }) => roles.includes(role)).map(({ name }) => name);
  const published = ports.map(
    ({ port }) => [port.split(":").at(-1)?.replace("/", "."), names("server", "agent")] as const,
  );
  const values = {
    ports: Object.fromEntries([...published, ["6443.tcp", names("server")]]),
    settings: { workerConnections: 1024 },
  };
  await run.docker.put(balancer, "/etc/confd/values.yaml", stringify(values));
}
