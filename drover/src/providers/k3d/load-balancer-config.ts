import { parse, stringify } from "yaml";
import type { SeenContainers } from "./sort-out.ts";

/** Where the load balancer reads which nodes are behind which port; it follows every change of the file. */
export const LOAD_BALANCER_CONFIG = "/etc/confd/values.yaml";

const API = "6443.tcp";

interface Values {
  readonly ports: Readonly<Record<string, readonly string[]>>;
}

/**
 * The configuration with the nodes that are there; null where it says so already. k3d leaves it as it was when nodes
 * come and go, and a load balancer that cannot find one of its nodes does not come up again after a restart.
 */
export function correctConfig(
  text: string,
  { servers, agents }: Pick<SeenContainers, "servers" | "agents">,
): string | null {
  const values = parse(text) as Values;
  const names = (nodes: SeenContainers["servers"]) => nodes.map(({ container }) => container.name);
  const everyNode = [...names(servers), ...names(agents)];
  const ports = Object.fromEntries(
    Object.keys(values.ports).map((port) => [port, port === API ? names(servers) : everyNode]),
  );
  const isSame = Object.entries(values.ports).every(([port, nodes]) => isSameSet(nodes, ports[port] ?? []));
  return isSame ? null : stringify({ ...values, ports });
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one));
}
