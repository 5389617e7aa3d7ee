/**
 * Everything that can be wrong with a document, by its stable code: one code per kind of mistake, wherever it is made.
 * docs/errors.md explains each one; a test compares the two in both directions.
 */
export interface ProblemKind {
  readonly title: string;
  /** The next move, where the place it is found at offers nothing more exact. */
  readonly next: string;
}

const kind = (title: string, next: string): ProblemKind => ({ title, next });

export const PROBLEMS = {
  "document-too-large": kind(
    "The document is larger than Drover accepts",
    "Make it smaller, or split what it declares into several documents.",
  ),
  "document-too-deep": kind(
    "The document is nested deeper than Drover accepts",
    "Check for a list or map that contains itself; a cluster needs fewer than ten levels.",
  ),
  "bad-syntax": kind("The document is not valid YAML or JSON", "Correct the line that is named."),
  "duplicate-key": kind("A key occurs twice in one map", "Remove one of the two."),
  "alias-refused": kind(
    "The document uses YAML aliases or merge keys",
    "Write the repeated part out; a few aliases can stand for gigabytes.",
  ),
  "not-plain-data": kind(
    "A value is not text, number, boolean, list or map",
    "Write the value as plain YAML or JSON, without tags.",
  ),
  "forbidden-key": kind("A key could change how programs read the document", "Remove the key."),
  "control-character": kind("A text contains a control character", "Type the text again; it was probably pasted."),
  "broken-text": kind("A text is not valid Unicode", "Save the document as UTF-8 and type the text again."),
  required: kind("A field is missing", "Add the field."),
  empty: kind("A field is empty", "Fill it in, or remove it if it is optional."),
  "wrong-type": kind("A value has the wrong type", "Write a value of the type that is named."),
  "unknown-field": kind("There is no such field", "Remove it, or correct its name."),
  "unknown-value": kind("The value is not one of those allowed", "Choose one of the values that are named."),
  "bad-format": kind("A text does not have the form it needs", "Write it like the example."),
  "bad-name": kind("A name has characters it must not have", "Use lower-case letters, digits and dashes."),
  "bad-address": kind("An address is neither an IP address nor a DNS name", "Write it like the example."),
  "bad-network": kind("A network is not in CIDR form", "Write it like the example."),
  "bad-version": kind("A version is not in the form Kubernetes uses", "Write it like v1.34.4."),
  "bad-key": kind("The key of a map does not have the form it needs", "Correct the key."),
  "too-long": kind("A text is too long", "Shorten it."),
  "too-few": kind("A list has too few items", "Add what is missing."),
  "too-many": kind("A list or map has too many entries", "Remove some."),
  "out-of-range": kind("A number is too small or too large", "Choose a number within the range."),
  duplicate: kind("Two items of a list have the same key", "Remove one of them, or give it another key."),
  "too-many-problems": kind("There are more problems than are listed", "Correct these, then check again."),
  "provider-block-missing": kind(
    "The settings of the chosen provider are missing",
    "Add the block that is named after the provider.",
  ),
  "provider-block-foreign": kind(
    "Settings of another provider than the chosen one",
    "Remove the block, or choose that provider.",
  ),
  "field-unsupported": kind("The chosen provider cannot do this", "Remove the field."),
  "field-needed": kind("A field is needed because of the value of another", "Add the field."),
  "field-excluded": kind("A field has no meaning because of the value of another", "Remove one of the two."),
  "name-too-long": kind("The name is too long for this provider", "Choose a shorter name."),
  "name-reserved": kind(
    "The name is reserved for a git branch of the installation itself",
    "Choose another name, or name the branch in spec.integrations.git.branch.",
  ),
  "networks-overlap": kind("Two networks overlap", "Choose networks that have no address in common."),
  "network-families-differ": kind("Pods and Services use different IP versions", "Use IPv4 or IPv6 for both."),
  "port-duplicate": kind("A port of the host is used twice", "Give each its own port, or leave the port out."),
  "version-required": kind("The Kubernetes version is missing", "Add spec.kubernetes.version."),
  "version-unsupported": kind("Drover does not support this Kubernetes version", "Choose a supported version."),
  "version-not-k3s": kind(
    "A version of k3s for something that is not k3s",
    "Leave the +k3s ending out, or choose k3d or the k3s distribution.",
  ),
  "node-address-duplicate": kind("Two nodes have the same address", "Remove one of them or correct its address."),
  "roles-conflict": kind(
    "A node is both controlplane and worker",
    "Choose one; schedulableControlPlane lets workloads run on control planes.",
  ),
  "role-alone": kind(
    "A node is neither controlplane nor worker",
    "Add one of these roles; etcd and edge come beside one of them.",
  ),
  "controlplane-missing": kind("No node is a controlplane", "Give at least one node the role controlplane."),
  "etcd-missing": kind("No node has the role etcd", "Give one, three or five nodes the role etcd."),
  "worker-missing": kind("No node is a worker", "Give a node the role worker, or set schedulableControlPlane to true."),
  "etcd-even": kind(
    "An even number of etcd members survives no more losses than one fewer",
    "Use an odd number: 1, 3 or 5.",
  ),
  "etcd-misplaced": kind(
    "The nodes with the role etcd do not fit the etcd topology",
    "Stacked: every controlplane has the role etcd, and no other node. Separate: no controlplane has it.",
  ),
  "endpoint-needed": kind(
    "Several control planes need an endpoint that outlives any of them",
    "Set spec.ssh.endpoint to given, haproxy or kube-vip.",
  ),
  "port-taken": kind(
    "Another cluster uses this port of the host",
    "Choose another port, or leave it out to get a free one.",
  ),
  "network-taken": kind(
    "Another cluster uses this network",
    "Choose another network, or leave it out to get a free one.",
  ),
  "kubeconfig-dangerous": kind(
    "The kubeconfig would do something on the machine that uses it",
    "Remove that part, or allow it in spec.imported.allow.",
  ),
  "address-taken": kind("Another cluster uses this machine or address", "Remove it from one of the two clusters."),
  "branch-taken": kind("Another cluster uses this git branch", "Choose another branch or another name."),
  "machine-name-taken": kind(
    "A machine of this name is enrolled",
    "Choose another name, or change the machine that is there.",
  ),
  "machine-address-taken": kind(
    "A machine with this address and port is enrolled",
    "Use the machine that is there, or correct the address.",
  ),
  "machine-not-enrolled": kind(
    "A node of the document is no enrolled machine",
    "Enrol it first, so that it can be looked at.",
  ),
  "machine-unknown": kind(
    "Nothing is known of the machine yet",
    "Wait until it was looked at, or see to why it cannot be reached.",
  ),
  "machine-id-duplicate": kind("Two machines have the same machine-id", "Give one of them a new machine-id."),
  "machine-uuid-duplicate": kind(
    "Two machines have the same product UUID",
    "Give one of the virtual machines a UUID of its own.",
  ),
  "machine-mac-duplicate": kind(
    "Two machines have the same hardware address",
    "Give one of the network cards an address of its own.",
  ),
  "machine-hostname-duplicate": kind("Two machines have the same host name", "Give one of them another host name."),
  "machine-in-cluster": kind(
    "The machine is part of another cluster",
    "Take another machine, or take this one out of its cluster first.",
  ),
  "machine-leftovers": kind(
    "A cluster that is gone has left something behind",
    "Look at what lies there, and remove it.",
  ),
  "machine-memory": kind("The machine has too little memory", "Give it more memory, or choose another machine."),
  "machine-cpu": kind("The machine has too few CPUs", "Give it more CPUs, or choose another machine."),
  "machine-disk": kind("The machine has too little free disk space", "Free some space, or choose another machine."),
  "machine-swap": kind("Swap is on", "Switch it off, now and at every start."),
  "machine-clock": kind("The clock of the machine is wrong", "Have it set by NTP."),
  "machine-port-used": kind("A port that the cluster needs is in use", "End the program that listens there."),
  "machine-program-missing": kind("A program that Kubernetes needs is missing", "Install it."),
  "machine-cgroup": kind(
    "The machine uses cgroup v1, which this Kubernetes refuses",
    "Start it with cgroup v2, or choose an older Kubernetes.",
  ),
  "machine-architecture": kind(
    "The machine has an architecture that Drover does not support",
    "Choose a machine with amd64 or arm64.",
  ),
  "machine-os": kind(
    "The machine runs a system that Drover does not support",
    "Choose a machine with Linux and systemd.",
  ),
  "machine-forwarding": kind("The machine does not forward packets", "Switch forwarding on."),
  "machine-module": kind(
    "A kernel module is neither loaded nor to be had",
    "Install the modules of the running kernel.",
  ),
  "machine-not-root": kind(
    "Drover is not let onto the machine, or cannot become root there",
    "The message says why: correct the user, its key or password, or how it becomes root.",
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing that is wrong with an input, at one place. */
export interface Problem {
  /** Where: `spec.ssh.nodes[2].address`; empty for the document as a whole. */
  readonly path: string;
  readonly code: ProblemCode;
  readonly message: string;
  /** What to do about it. */
  readonly next: string;
}

export function makeProblem(path: string, code: ProblemCode, message: string, next?: string): Problem {
  return { path, code, message, next: next ?? PROBLEMS[code].next };
}
