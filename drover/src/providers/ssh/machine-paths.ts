/** Whose a machine is. The first thing that is written there, and the last that goes. */
export const MARK_FOLDER = "/etc/drover";
export const MARK_PATH = `${MARK_FOLDER}/cluster.json`;
/** What we have to remember on a machine: how it was found, what was brought. */
export const STATE_FOLDER = "/var/lib/drover";
/** Where files lie until they are of use. */
export const INCOMING_FOLDER = `${STATE_FOLDER}/incoming`;
/** Snapshots of the database that were taken before upgrades. */
export const SNAPSHOT_FOLDER = `${STATE_FOLDER}/snapshots`;
/** Where the snapshot of a backup lies on its control plane until it was fetched. */
export const BACKUP_FOLDER = `${STATE_FOLDER}/backups`;
/** Which Kubernetes the node runs, as we last left it. */
export const VERSION_NOTE = `${STATE_FOLDER}/version`;
export const PROGRAM_FOLDER = "/usr/local/bin";
export const PLUGIN_FOLDER = "/opt/cni/bin";
export const KUBEADM_CONFIG = `${STATE_FOLDER}/kubeadm.yaml`;
/** Files of the API server's that the spec brings: kubeadm mounts the folder into it. */
export const API_SERVER_FOLDER = "/etc/kubernetes/drover";
/** The keys with which the API server encrypts Secrets; there only while there are some. */
export const ENCRYPTION_FILE = `${API_SERVER_FOLDER}/encryption.yaml`;
/** Where the manifest of the API server lies while it is stopped to be given other keys. */
export const STOPPED_FOR_KEYS = `${STATE_FOLDER}/encryption`;
export const ADMIN_CONFIG = "/etc/kubernetes/admin.conf";
/** On the first control plane alone. */
export const SUPER_ADMIN_CONFIG = "/etc/kubernetes/super-admin.conf";
/** The address that kube-vip may have given to a card of the machine. */
export const VIRTUAL_ADDRESS_NOTE = `${STATE_FOLDER}/virtual-address`;
/** What kubectl is called with on a control plane: what it keeps for later goes with everything else of ours. */
export const KUBECTL = ["kubectl", "--kubeconfig", ADMIN_CONFIG, "--cache-dir", `${STATE_FOLDER}/kubectl`] as const;
/** What a database apart from the API servers needs, and what they need to ask it. */
export const ETCD_FOLDER = `${MARK_FOLDER}/etcd`;
export const ETCD_UNIT = "drover-etcd.service";
export const ETCD_UNIT_PATH = `/etc/systemd/system/${ETCD_UNIT}`;
export const ETCD_DATA = "/var/lib/etcd";
/** Written once the machine is a full member of the database, and gone before it leaves. */
export const ETCD_NOTE = `${STATE_FOLDER}/etcd-member`;
/** How many watched the API server before a job took it away. */
export const WATCHERS_NOTE = `${STATE_FOLDER}/watchers`;
export const CONTAINERD_CONFIG = "/etc/containerd/config.toml";
export const CONTAINERD_DATA = "/var/lib/containerd";
export const CONTAINERD_SOCKET = "unix:///run/containerd/containerd.sock";
export const KUBELET_UNIT = "/etc/systemd/system/kubelet.service";
/** Arguments of the kubelet that the spec names. */
export const KUBELET_ARGUMENTS = `${MARK_FOLDER}/kubelet.env`;
export const CRICTL_CONFIG = "/etc/crictl.yaml";
export const MODULES_FILE = "/etc/modules-load.d/drover.conf";
export const SYSCTL_FILE = "/etc/sysctl.d/99-drover.conf";

export const MODULES = ["overlay", "br_netfilter"] as const;
export const SYSCTLS: Readonly<Record<string, string>> = {
  "net.ipv4.ip_forward": "1",
  "net.bridge.bridge-nf-call-iptables": "1",
  "net.bridge.bridge-nf-call-ip6tables": "1",
};

/** By these it is seen that somebody has Kubernetes there. */
export const TRACES_OF_KUBERNETES = [
  "/etc/kubernetes/kubelet.conf",
  "/etc/kubernetes/admin.conf",
  "/etc/kubernetes/manifests/kube-apiserver.yaml",
  "/etc/rancher/k3s/k3s.yaml",
  "/etc/rancher/rke2",
  "/var/lib/rancher/k3s/server",
  "/var/lib/rancher/k3s/agent",
  "/var/lib/k0s",
] as const;
