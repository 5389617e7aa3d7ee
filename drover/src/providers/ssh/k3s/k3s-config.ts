import { type ClusterSpec, isIpAddress, type SshSpec } from "@drover/contract";
import { stringify } from "yaml";
import type { RegistryCredential } from "../../../containers/registry-mirrors.ts";
import { addressAmongNodes, certificateNames, type DeclaredNode, isControlPlane, sshPart } from "../declared.ts";
import { CONTROL_PLANE_TAINT } from "../kubeadm-config.ts";
import { K3S_API_SERVER_FOLDER } from "./k3s-paths.ts";
import { addArguments, type Settings } from "./k3s-settings.ts";

/** config.yaml: everything of a node that may be changed while it lives. */
export function k3sConfig(spec: ClusterSpec, node: DeclaredNode): string {
  const isServer = isControlPlane(node);
  const own = { ...nodeSettings(spec, node), ...(isServer ? serverSettings(spec, node) : {}) };
  return stringify(addArguments(own, sshPart(spec), isServer));
}

/** What counts only when a node shows itself for the first time, and where it goes to: nowhere for the first server. */
export function k3sJoinConfig(spec: ClusterSpec, node: DeclaredNode, server: string | null): string {
  const own = isControlPlane(node) && !sshPart(spec).schedulableControlPlane ? [CONTROL_PLANE_TAINT] : [];
  const taints = [...own, ...(node.taints ?? [])].map(
    (taint) => `${taint.key}=${"value" in taint ? (taint.value ?? "") : ""}:${taint.effect}`,
  );
  return stringify({
    ...(server === null ? { "cluster-init": true } : { server }),
    ...(taints.length === 0 ? {} : { "node-taint": taints }),
  });
}

function nodeSettings({ networking, ssh }: ClusterSpec, node: DeclaredNode): Settings {
  const address = addressAmongNodes(node);
  const mode = networking?.kubeProxyMode ?? "iptables";
  const kubelet = (ssh?.kubeletArgs ?? []).map(joined);
  return {
    "node-name": node.name,
    ...(isIpAddress(address) ? { "node-ip": address } : {}),
    ...(kubelet.length === 0 ? {} : { "kubelet-arg": kubelet }),
    ...(mode === "iptables" || mode === "none" ? {} : { "kube-proxy-arg": [`proxy-mode=${mode}`] }),
  };
}

function serverSettings(spec: ClusterSpec, node: DeclaredNode): Settings {
  const { networking } = spec;
  const { etcd, apiServer } = sshPart(spec);
  const address = addressAmongNodes(node);
  const apiServerArgs = apiServerArguments(apiServer);
  return {
    ...(isIpAddress(address) ? { "advertise-address": address } : {}),
    "tls-san": certificateNames(spec),
    ...(networking === undefined
      ? {}
      : {
          "cluster-cidr": networking.podSubnet,
          "service-cidr": networking.serviceSubnet,
          "cluster-domain": networking.dnsDomain,
        }),
    ...(networking?.kubeProxyMode === "none" ? { "disable-kube-proxy": true } : {}),
    ...(networking === undefined || networking.cni.type === "builtin"
      ? {}
      : { "flannel-backend": "none", "disable-network-policy": true }),
    ...(apiServerArgs.length === 0 ? {} : { "kube-apiserver-arg": apiServerArgs }),
    ...(etcd.extraArgs === undefined ? {} : { "etcd-arg": etcd.extraArgs.map(joined) }),
  };
}

function apiServerArguments(apiServer: SshSpec["apiServer"]): readonly string[] {
  const { auditPolicy, admissionConfiguration, extraArgs = [] } = apiServer ?? {};
  const own = [
    ...(auditPolicy === undefined
      ? []
      : [
          { name: "audit-policy-file", value: `${K3S_API_SERVER_FOLDER}/audit-policy.yaml` },
          { name: "audit-log-path", value: "-" },
        ]),
    ...(admissionConfiguration === undefined
      ? []
      : [{ name: "admission-control-config-file", value: `${K3S_API_SERVER_FOLDER}/admission.yaml` }]),
  ];
  const given = new Set(extraArgs.map(({ name }) => name));
  return [...own.filter(({ name }) => !given.has(name)), ...extraArgs].map(joined);
}

const joined = ({ name, value }: { readonly name: string; readonly value: string }): string => `${name}=${value}`;

/** registries.yaml; the credentials are by the host that is mirrored. */
export function k3sRegistries(
  { registryMirrors = [] }: SshSpec,
  credentials: ReadonlyMap<string, RegistryCredential>,
): string {
  const configs: Record<string, object> = {};
  for (const { host, endpoints, insecure } of registryMirrors) {
    const auth = credentials.get(host);
    const config = {
      ...(auth === undefined ? {} : { auth: { username: auth.username, password: auth.password } }),
      ...(insecure === true ? { tls: { insecure_skip_verify: true } } : {}),
    };
    if (Object.keys(config).length === 0) continue;
    for (const endpoint of endpoints) configs[new URL(endpoint).host] = config;
  }
  return stringify({
    mirrors: Object.fromEntries(registryMirrors.map(({ host, endpoints }) => [host, { endpoint: endpoints }])),
    ...(Object.keys(configs).length === 0 ? {} : { configs }),
  });
}

/** The variables of the unit, as systemd reads them from a file. */
export function environmentText(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}="${value.replace(/["\\$`]/g, (letter) => `\\${letter}`)}"\n`],
    )
    .join("");
}
