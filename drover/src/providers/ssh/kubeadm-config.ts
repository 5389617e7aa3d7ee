import type { ClusterSpec, SshSpec } from "@drover/contract";
import { isIpAddress } from "@drover/contract";
import { parseAllDocuments, stringify } from "yaml";
import { isFields } from "../../domain/json-fields.ts";
import {
  addressAmongNodes,
  certificateNames,
  type DeclaredNode,
  endpointOf,
  hasSeparateEtcd,
  isControlPlane,
  sshPart,
  versionOf,
} from "./declared.ts";
import { externalEtcd, memberNames } from "./etcd/database.ts";
import { API_SERVER_FOLDER, CONTAINERD_SOCKET, ENCRYPTION_FILE } from "./machine-paths.ts";

const API_VERSION = "kubeadm.k8s.io/v1beta4";
const API_PORT = 6443;

type Document = Readonly<Record<string, unknown>> & { readonly kind: string };

/** What a node joins by. */
export interface JoinTicket {
  readonly token: string;
  readonly caHash: string;
  /** For control planes: what the certificates are sealed with. */
  readonly certificateKey: string | null;
}

/** For the first control plane. Whether Secrets are encrypted is not the spec's to say: the keys decide it. */
export function initConfig(
  { name, spec }: { readonly name: string; readonly spec: ClusterSpec },
  node: DeclaredNode,
  version: string,
  isEncrypted = false,
): string {
  const networking = spec.networking;
  const skipped = networking?.kubeProxyMode === "none" ? ["addon/kube-proxy"] : [];
  const init: Document = {
    ...{ apiVersion: API_VERSION, kind: "InitConfiguration" },
    localAPIEndpoint: { advertiseAddress: addressAmongNodes(node), bindPort: API_PORT },
    nodeRegistration: registrationOf(spec, node),
    ...(skipped.length === 0 ? {} : { skipPhases: skipped }),
  };
  return render(sshPart(spec), [
    init,
    clusterConfig(name, spec, version, isEncrypted),
    kubeletConfig(),
    ...proxyConfig(spec),
  ]);
}

export function joinConfig(spec: ClusterSpec, node: DeclaredNode, ticket: JoinTicket): string {
  const { token, caHash, certificateKey } = ticket;
  const join: Document = {
    ...{ apiVersion: API_VERSION, kind: "JoinConfiguration" },
    discovery: {
      bootstrapToken: { apiServerEndpoint: endpointOf(spec), token, caCertHashes: [caHash] },
    },
    nodeRegistration: registrationOf(spec, node),
    ...(isControlPlane(node)
      ? {
          controlPlane: {
            localAPIEndpoint: { advertiseAddress: addressAmongNodes(node), bindPort: API_PORT },
            ...(certificateKey === null ? {} : { certificateKey }),
          },
        }
      : {}),
  };
  return render(sshPart(spec), [join], ["JoinConfiguration"]);
}

/** For sharing certificates: what is to be sealed with which key. */
export function shareConfig(spec: ClusterSpec, certificateKey: string): string {
  const documents = [
    { apiVersion: API_VERSION, kind: "InitConfiguration", certificateKey },
    {
      ...{ apiVersion: API_VERSION, kind: "ClusterConfiguration", kubernetesVersion: versionOf(spec) },
      // kubeadm shares the way to the database only where it is told that there is one.
      ...(hasSeparateEtcd(spec) ? { etcd: etcdConfig(spec) } : {}),
    },
  ];
  return documents.map((document) => stringify(document)).join("---\n");
}

function clusterConfig(name: string, spec: ClusterSpec, version: string, isEncrypted: boolean): Document {
  const { networking } = spec;
  const { apiServer } = sshPart(spec);
  return {
    ...{ apiVersion: API_VERSION, kind: "ClusterConfiguration" },
    clusterName: name,
    kubernetesVersion: version,
    controlPlaneEndpoint: endpointOf(spec),
    networking: {
      podSubnet: networking?.podSubnet,
      serviceSubnet: networking?.serviceSubnet,
      dnsDomain: networking?.dnsDomain,
    },
    ...lifetimes(spec),
    apiServer: { certSANs: certificateNames(spec), ...apiServerConfig(apiServer, isEncrypted) },
    etcd: etcdConfig(spec),
  };
}

function etcdConfig(spec: ClusterSpec): object {
  const { dataDirectory, extraArgs } = sshPart(spec).etcd;
  if (hasSeparateEtcd(spec)) return { external: externalEtcd(spec) };
  return {
    local: {
      ...(dataDirectory === undefined ? {} : { dataDir: dataDirectory }),
      ...(extraArgs === undefined ? {} : { extraArgs }),
    },
  };
}

/** For the certificates of a member: kubeadm makes them where it is told to, and nothing else. */
export function memberConfig(spec: ClusterSpec, node: DeclaredNode, folder: string, version: string): string {
  const address = addressAmongNodes(node);
  const names = memberNames(node);
  const documents = [
    {
      ...{ apiVersion: API_VERSION, kind: "InitConfiguration" },
      nodeRegistration: { name: node.name, criSocket: CONTAINERD_SOCKET },
      ...(isIpAddress(address) ? { localAPIEndpoint: { advertiseAddress: address } } : {}),
    },
    {
      ...{ apiVersion: API_VERSION, kind: "ClusterConfiguration", kubernetesVersion: version },
      ...{ certificatesDir: folder, ...lifetimes(spec) },
      etcd: { local: { serverCertSANs: names, peerCertSANs: names } },
    },
  ];
  return documents.map((document) => stringify(document)).join("---\n");
}

function lifetimes(spec: ClusterSpec): object {
  const { validityDays, caValidityDays } = sshPart(spec).certificates ?? {};
  const hours = (days: number): string => `${days * 24}h0m0s`;
  return {
    ...(validityDays === undefined ? {} : { certificateValidityPeriod: hours(validityDays) }),
    ...(caValidityDays === undefined ? {} : { caCertificateValidityPeriod: hours(caValidityDays) }),
  };
}

/** Files that the API server gets beside its arguments, by their names in `API_SERVER_FOLDER`. */
export function apiServerFiles({ apiServer }: SshSpec): Readonly<Record<string, string>> {
  const { auditPolicy, admissionConfiguration } = apiServer ?? {};
  return {
    ...(auditPolicy === undefined ? {} : { "audit-policy.yaml": auditPolicy }),
    ...(admissionConfiguration === undefined ? {} : { "admission.yaml": admissionConfiguration }),
  };
}

function apiServerConfig(apiServer: SshSpec["apiServer"], isEncrypted: boolean): object {
  const { auditPolicy, admissionConfiguration, extraArgs = [] } = apiServer ?? {};
  const own = [
    ...(auditPolicy === undefined
      ? []
      : [
          { name: "audit-policy-file", value: `${API_SERVER_FOLDER}/audit-policy.yaml` },
          { name: "audit-log-path", value: "-" },
        ]),
    ...(admissionConfiguration === undefined
      ? []
      : [{ name: "admission-control-config-file", value: `${API_SERVER_FOLDER}/admission.yaml` }]),
    ...(isEncrypted ? [{ name: "encryption-provider-config", value: ENCRYPTION_FILE }] : []),
  ];
  const given = new Set(extraArgs.map(({ name }) => name));
  const args = [...own.filter(({ name }) => !given.has(name)), ...extraArgs];
  const mount = { name: "drover", hostPath: API_SERVER_FOLDER, mountPath: API_SERVER_FOLDER, readOnly: true };
  return {
    ...(args.length === 0 ? {} : { extraArgs: args }),
    ...(own.length === 0 ? {} : { extraVolumes: [{ ...mount, pathType: "DirectoryOrCreate" }] }),
  };
}

/** Everything about the API server that can be changed while the cluster runs. */
export const apiServerSettings = (spec: ClusterSpec, isEncrypted: boolean): object => {
  const part = sshPart(spec);
  return { ...apiServerConfig(part.apiServer, isEncrypted), files: apiServerFiles(part) };
};

const kubeletConfig = (): Document => ({
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  kind: "KubeletConfiguration",
  cgroupDriver: "systemd",
});

function proxyConfig({ networking }: ClusterSpec): readonly Document[] {
  const mode = networking?.kubeProxyMode ?? "iptables";
  if (mode === "none") return [];
  return [{ apiVersion: "kubeproxy.config.k8s.io/v1alpha1", kind: "KubeProxyConfiguration", mode }];
}

/** Taints of the spec replace those that kubeadm sets, so the usual one is named where it is wanted. */
function registrationOf(spec: ClusterSpec, node: DeclaredNode): object {
  const { schedulableControlPlane, kubeletArgs = [] } = sshPart(spec);
  const nodeAddress = addressAmongNodes(node);
  const own = isIpAddress(nodeAddress) ? [{ name: "node-ip", value: nodeAddress }] : [];
  const given = new Set(kubeletArgs.map(({ name }) => name));
  return {
    name: node.name,
    criSocket: CONTAINERD_SOCKET,
    imagePullPolicy: "IfNotPresent",
    // Those of the spec are in a file of their own, where they can be changed.
    kubeletExtraArgs: own.filter(({ name }) => !given.has(name)),
    taints: [
      ...(isControlPlane(node) && !schedulableControlPlane ? [CONTROL_PLANE_TAINT] : []),
      ...(node.taints ?? []),
    ],
  };
}

export const CONTROL_PLANE_TAINT = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" } as const;

/** With the patches of the spec merged into the documents of the same kind; others are added where they may be. */
function render({ kubeadmPatches = [] }: SshSpec, documents: readonly Document[], only?: readonly string[]): string {
  const patches = kubeadmPatches
    .flatMap(readPatches)
    .filter(({ kind }) => only?.includes(kind) ?? kind !== "JoinConfiguration");
  const merged = documents.map((document) =>
    patches
      .filter(({ kind }) => kind === document.kind)
      .reduce((whole, patch) => merge(whole, patch) as Document, document),
  );
  const known = new Set(documents.map(({ kind }) => kind));
  const others = patches.filter(({ kind }) => !known.has(kind));
  return [...merged, ...others].map((document) => stringify(document)).join("---\n");
}

/** The documents of a patch; a `kind` says what each is for. */
export function readPatches(text: string): readonly Document[] {
  return parseAllDocuments(text).flatMap((document) => {
    const value: unknown = document.toJS();
    return isFields(value) && typeof value["kind"] === "string" ? [value as Document] : [];
  });
}

function merge(base: unknown, patch: unknown): unknown {
  if (!isFields(base) || !isFields(patch)) return patch;
  const keys = new Set([...Object.keys(base), ...Object.keys(patch)]);
  return Object.fromEntries([...keys].map((key) => [key, key in patch ? merge(base[key], patch[key]) : base[key]]));
}
