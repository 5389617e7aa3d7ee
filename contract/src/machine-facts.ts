import { z } from "zod";

/*
 * What was seen on a machine. Everything may be missing: a machine without a program that tells something is still a
 * machine, and null says "not known", never "not there".
 */

const word = z.string().max(256);
const bytes = z.int().min(0);

const operatingSystem = z.strictObject({
  /** As `/etc/os-release` has it: debian, ubuntu, rhel, sles, alpine. */
  id: word,
  version: word.nullable(),
  /** For people: "Debian GNU/Linux 12 (bookworm)". */
  title: word.nullable(),
});

const disk = z.strictObject({ mount: word, device: word, totalBytes: bytes, freeBytes: bytes });

const networkAddress = z.strictObject({ interface: word, address: word, prefix: z.int().min(0).max(128).nullable() });

const networkInterface = z.strictObject({ name: word, mac: word });

/** A TCP port that somebody listens on. */
const listening = z.strictObject({ port: z.int().min(0).max(65_535), address: word });

/** What of Kubernetes is there already, and whose. */
const software = z.strictObject({
  containerd: word.nullable(),
  kubelet: word.nullable(),
  kubeadm: word.nullable(),
  k3s: word.nullable(),
  /** Folders and files that are there and not empty, of those that a cluster leaves. */
  traces: z.array(word),
  /** The cluster that Drover made it a part of. */
  mark: z.strictObject({ clusterId: word, clusterName: word.nullable() }).nullable(),
});

export const machineFacts = z.strictObject({
  os: operatingSystem.nullable(),
  /** As Kubernetes names it: amd64, arm64. */
  architecture: word.nullable(),
  kernel: word.nullable(),
  cpus: z.int().min(0).nullable(),
  memoryBytes: bytes.nullable(),
  swapBytes: bytes.nullable(),
  disks: z.array(disk),
  addresses: z.array(networkAddress),
  interfaces: z.array(networkInterface),
  defaultRoute: z.strictObject({ interface: word, gateway: word.nullable() }).nullable(),
  hostname: word.nullable(),
  machineId: word.nullable(),
  /** Null in containers, where it is that of the machine around them. */
  productUuid: word.nullable(),
  /** What it runs inside of, when it is a container: docker, lxc. */
  container: word.nullable(),
  packageManager: word.nullable(),
  init: word.nullable(),
  /** How far its clock is ahead of the worker's; negative when behind. */
  clockSkewMs: z.int().nullable(),
  cgroup: z.enum(["v1", "v2"]).nullable(),
  listening: z.array(listening),
  selinux: z.enum(["enforcing", "permissive", "disabled"]).nullable(),
  apparmor: z.boolean().nullable(),
  software,
  /** Whether each was found on the search path of root. */
  programs: z.record(word, z.boolean()),
  modules: z.record(word, z.boolean()),
  sysctls: z.record(word, word),
  /** Whether it could be asked as root. */
  root: z.boolean(),
});

export type MachineFacts = z.output<typeof machineFacts>;
