import { PROGRAM_FOLDER, STATE_FOLDER } from "../machine-paths.ts";

export const K3S_PROGRAM = `${PROGRAM_FOLDER}/k3s`;
/** Names under which k3s acts as another program, as its installer makes them. */
export const K3S_LINKS = ["kubectl", "crictl", "ctr"] as const;
export const K3S_CONFIG_FOLDER = "/etc/rancher/k3s";
/** What the spec says: written anew whenever that changes. */
export const K3S_CONFIG = `${K3S_CONFIG_FOLDER}/config.yaml`;
/** How the node came into the cluster: written once, before it is started for the first time. */
export const K3S_JOIN_CONFIG = `${K3S_CONFIG_FOLDER}/config.yaml.d/drover-join.yaml`;
export const K3S_REGISTRIES = `${K3S_CONFIG_FOLDER}/registries.yaml`;
export const K3S_ADMIN_CONFIG = `${K3S_CONFIG_FOLDER}/k3s.yaml`;
/** Files of the API server's that the spec brings. */
export const K3S_API_SERVER_FOLDER = `${K3S_CONFIG_FOLDER}/drover`;
export const K3S_DATA = "/var/lib/rancher/k3s";
export const K3S_IMAGES = `${K3S_DATA}/agent/images`;
/** What others join by, as a server keeps it. */
export const K3S_NODE_TOKEN = `${K3S_DATA}/server/node-token`;
/** The certificates of a server. */
export const K3S_TLS = `${K3S_DATA}/server/tls`;
/** By which those of API servers are signed. */
export const K3S_AUTHORITY = `${K3S_TLS}/server-ca.crt`;
export const K3S_DATABASE = `${K3S_DATA}/server/db`;
/** The database of before, while a restore goes on. */
export const K3S_OLD_DATABASE = `${K3S_DATABASE}/drover-old`;
/** Which settings k3s was last started with. */
export const K3S_STARTED_WITH = `${STATE_FOLDER}/k3s-started-with`;
/** kubectl of k3s, on a server: what it keeps for later goes with everything else of ours. */
export const K3S_KUBECTL = [
  ...[K3S_PROGRAM, "kubectl", "--kubeconfig", K3S_ADMIN_CONFIG, "--cache-dir", `${STATE_FOLDER}/kubectl`],
] as const;

export const unitOf = (isServer: boolean): "k3s" | "k3s-agent" => (isServer ? "k3s" : "k3s-agent");
export const unitFileOf = (isServer: boolean): string => `/etc/systemd/system/${unitOf(isServer)}.service`;
/** Where the token is; only root reads it. */
export const secretsFileOf = (isServer: boolean): string => `${unitFileOf(isServer)}.env`;
export const environmentFileOf = (isServer: boolean): string => `/etc/default/${unitOf(isServer)}`;
