import type { ClusterSpec } from "@drover/contract";
import { k3dPart } from "./declared.ts";

/** One argument of k3s and the nodes that get it, as k3d's configuration has them. A type, so that it counts as JSON. */
export type K3sArgument = {
  readonly arg: string;
  readonly nodeFilters: readonly string[];
};

const SERVERS = ["server:*"];

/** Those that the networks of the spec come to, then those that it names. */
export function k3sArguments(spec: ClusterSpec): readonly K3sArgument[] {
  const named = (k3dPart(spec).k3sArgs ?? []).map(({ arg, nodes }) => ({ arg, nodeFilters: nodes ?? SERVERS }));
  return [...networkArguments(spec).map((arg) => ({ arg, nodeFilters: SERVERS })), ...named];
}

function networkArguments({ networking }: ClusterSpec): readonly string[] {
  if (networking === undefined) return [];
  const { podSubnet, serviceSubnet, dnsDomain, kubeProxyMode, cni } = networking;
  return [
    ...value("--cluster-cidr", podSubnet),
    ...value("--service-cidr", serviceSubnet),
    // What k3s does by itself needs no argument.
    ...(dnsDomain === "cluster.local" ? [] : value("--cluster-domain", dnsDomain)),
    ...proxyArguments(kubeProxyMode),
    ...(cni?.type === "none" ? ["--flannel-backend=none", "--disable-network-policy"] : []),
  ];
}

function proxyArguments(mode: NonNullable<ClusterSpec["networking"]>["kubeProxyMode"]): readonly string[] {
  if (mode === "none") return ["--disable-kube-proxy"];
  return mode === undefined || mode === "iptables" ? [] : [`--kube-proxy-arg=proxy-mode=${mode}`];
}

const value = (argument: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`${argument}=${text}`];
