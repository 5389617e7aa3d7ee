import { type ClusterSpec, isIpAddress } from "@drover/contract";
import { addressAmongNodes, bracket, type DeclaredNode, etcdNodesOf, sshPart } from "../declared.ts";
import { ETCD_DATA, ETCD_FOLDER, PROGRAM_FOLDER } from "../machine-paths.ts";

/* A database apart from the API servers: etcd as a service on workers that have the role. */

export const ETCD_PROGRAM = `${PROGRAM_FOLDER}/etcd`;
/** Certificates of a member: its own, and the authority of all of them, so that any may be lost. */
export const MEMBER_PKI = `${ETCD_FOLDER}/pki`;
/** With which other members it begins; read once, when there are no data yet. */
export const BEGINNING = `${ETCD_FOLDER}/begin.env`;
/** What an API server asks the database with. Not below /etc/kubernetes, which a reset of kubeadm empties. */
export const ACCESS_FOLDER = `${ETCD_FOLDER}/access`;
export const ACCESS = {
  authority: `${ACCESS_FOLDER}/ca.crt`,
  certificate: `${ACCESS_FOLDER}/client.crt`,
  key: `${ACCESS_FOLDER}/client.key`,
} as const;

const CLIENT_PORT = 2379;
const PEER_PORT = 2380;

export const dataOf = (spec: ClusterSpec): string => sshPart(spec).etcd.dataDirectory ?? ETCD_DATA;

/** Lies among the data of a full member, so that others in their place are noticed. */
export const dataMarkOf = (spec: ClusterSpec): string => `${dataOf(spec)}/member/drover-member`;

const urlOf = (host: string, port: number): string => `https://${bracket(host)}:${port}`;

export const clientUrl = (node: DeclaredNode): string => urlOf(addressAmongNodes(node), CLIENT_PORT);
export const peerUrl = (node: DeclaredNode): string => urlOf(addressAmongNodes(node), PEER_PORT);

/** Every name and address under which a member may be asked. */
export const memberNames = ({ name, address, internalAddress }: DeclaredNode): readonly string[] => [
  ...new Set([name, address, internalAddress ?? address, "127.0.0.1", "localhost"]),
];

/** The part of kubeadm's configuration that says where the database is. */
export const externalEtcd = (spec: ClusterSpec) => ({
  endpoints: etcdNodesOf(spec).map(clientUrl),
  caFile: ACCESS.authority,
  certFile: ACCESS.certificate,
  keyFile: ACCESS.key,
});

/** A single member, or one more beside those that are there. */
export function beginning(
  clusterId: string,
  members: readonly { readonly name: string; readonly peerUrl: string }[],
  state: "new" | "existing",
): string {
  const all = members.map((member) => `${member.name}=${member.peerUrl}`).join(",");
  return `ETCD_INITIAL_CLUSTER=${all}\nETCD_INITIAL_CLUSTER_STATE=${state}\nETCD_INITIAL_CLUSTER_TOKEN=${clusterId}\n`;
}

export function databaseUnit(spec: ClusterSpec, node: DeclaredNode): string {
  const { extraArgs = [] } = sshPart(spec).etcd;
  const address = addressAmongNodes(node);
  const own = isIpAddress(address) ? address : "0.0.0.0";
  const listen = (port: number) =>
    [...new Set([own, ...(own === "0.0.0.0" ? [] : ["127.0.0.1"])])].map((host) => urlOf(host, port));
  const given = new Set(extraArgs.map(({ name }) => name));
  const usual: readonly (readonly [string, string])[] = [
    ["name", node.name],
    ["data-dir", dataOf(spec)],
    ["listen-client-urls", listen(CLIENT_PORT).join(",")],
    ["advertise-client-urls", clientUrl(node)],
    ["listen-peer-urls", urlOf(own, PEER_PORT)],
    ["initial-advertise-peer-urls", peerUrl(node)],
    ["client-cert-auth", "true"],
    ["trusted-ca-file", `${MEMBER_PKI}/ca.crt`],
    ["cert-file", `${MEMBER_PKI}/server.crt`],
    ["key-file", `${MEMBER_PKI}/server.key`],
    ["peer-client-cert-auth", "true"],
    ["peer-trusted-ca-file", `${MEMBER_PKI}/ca.crt`],
    ["peer-cert-file", `${MEMBER_PKI}/peer.crt`],
    ["peer-key-file", `${MEMBER_PKI}/peer.key`],
    ["snapshot-count", "10000"],
  ];
  const all = [...usual.filter(([name]) => !given.has(name)), ...extraArgs.map(({ name, value }) => [name, value])];
  return `[Unit]
Description=etcd, the database of Kubernetes
After=network-online.target
Wants=network-online.target

[Service]
EnvironmentFile=${BEGINNING}
ExecStart=${ETCD_PROGRAM} ${all.map(([name, value]) => quote(`--${name}=${value}`)).join(" ")}
Restart=always
RestartSec=2
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
`;
}

/** As systemd reads it back: neither a specifier, nor a variable, nor the end of the word. */
const quote = (word: string): string =>
  `"${word.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
