import { MODULES, PROGRAM_FOLDER, SYSCTLS } from "../machine-paths.ts";
import { environmentFileOf, K3S_LINKS, K3S_PROGRAM, secretsFileOf, unitFileOf, unitOf } from "./k3s-paths.ts";

const ROLES = [true, false];

/** k3s loads these by itself. */
const K3S_MODULES = [...MODULES, "nf_conntrack", "iptable_nat", "iptable_filter"];

/** Folders that belong to k3s, its pod network and what it starts. */
const FOLDERS = [
  // Where kubectl keeps what it has learnt when a unit starts it, which has no home.
  "/.kube",
  "/etc/systemd/system/multi-user.target.wants",
  "/etc/rancher",
  "/run/flannel",
  "/run/k3s",
  "/run/xtables.lock",
  "/usr/libexec/kubernetes",
  "/var/lib/cni",
  "/var/lib/kubelet",
  "/var/lib/rancher",
  "/var/log/containers",
  "/var/log/pods",
];

/** Everything on a machine that making it a node of k3s changes; see `thingsThatChange`. */
export const K3S_THINGS: readonly string[] = [
  ...ROLES.map((isServer) => `unit:${unitOf(isServer)}`),
  ...K3S_MODULES.map((module) => `module:${module}`),
  ...Object.keys(SYSCTLS).map((name) => `sysctl:${name}`),
  ...ROLES.flatMap((isServer) => [unitFileOf(isServer), secretsFileOf(isServer), environmentFileOf(isServer)]),
  K3S_PROGRAM,
  ...K3S_LINKS.map((name) => `${PROGRAM_FOLDER}/${name}`),
  ...FOLDERS,
];
