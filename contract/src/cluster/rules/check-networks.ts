import { type Network, networksOverlap, parseAddress, parseCidr } from "../addresses.ts";
import type { ClusterDraft, Report, Rule } from "./rule.ts";

interface NamedNetwork {
  readonly path: string;
  readonly text: string;
  readonly network: Network;
}

/** Pods, Services and node containers must not share an address, nor pods and Services differ in IP version. */
export const checkNetworks: Rule = (cluster, report) => {
  const networks = namedNetworks(cluster);
  for (const [index, a] of networks.entries()) {
    for (const b of networks.slice(index + 1)) {
      if (!networksOverlap(a.network, b.network)) continue;
      report.add(b.path, "networks-overlap", `${b.path} (${b.text}) overlaps ${a.path} (${a.text}).`);
    }
  }
  checkFamilies(networks, report);
  checkMachines(cluster, networks, report);
};

function namedNetworks({ spec }: ClusterDraft): NamedNetwork[] {
  const texts = {
    "spec.networking.podSubnet": spec?.networking?.podSubnet,
    "spec.networking.serviceSubnet": spec?.networking?.serviceSubnet,
    "spec.k3d.subnet": spec?.k3d?.subnet,
  };
  return Object.entries(texts).flatMap(([path, text]) => {
    const network = text === undefined ? undefined : parseCidr(text);
    return text === undefined || network === undefined ? [] : [{ path, text, network }];
  });
}

function checkFamilies(networks: readonly NamedNetwork[], report: Report): void {
  const pods = networks.find(({ path }) => path === "spec.networking.podSubnet");
  const services = networks.find(({ path }) => path === "spec.networking.serviceSubnet");
  if (pods === undefined || services === undefined || pods.network.family === services.network.family) return;
  report.add(
    services.path,
    "network-families-differ",
    `${services.path} (${services.text}) is IPv${services.network.family}, ${pods.path} (${pods.text}) is not.`,
  );
}

/** A machine inside the pod network could not be reached from pods. */
function checkMachines({ spec }: ClusterDraft, networks: readonly NamedNetwork[], report: Report): void {
  const addresses = (spec?.ssh?.nodes ?? []).flatMap((node, index) => [
    { path: `spec.ssh.nodes[${index}].address`, text: node?.address },
    { path: `spec.ssh.nodes[${index}].internalAddress`, text: node?.internalAddress },
  ]);
  for (const { path, text } of [
    ...addresses,
    { path: "spec.ssh.endpoint.virtualIp", text: spec?.ssh?.endpoint?.virtualIp },
  ]) {
    const address = text === undefined ? undefined : parseAddress(text);
    if (address === undefined) continue;
    const around = networks.find(
      ({ network }) =>
        network.family === address.family && network.first <= address.value && address.value <= network.last,
    );
    if (around === undefined) continue;
    report.add(path, "networks-overlap", `${path} (${text}) lies within ${around.path} (${around.text}).`);
  }
}
