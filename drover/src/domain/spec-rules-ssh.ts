import type { ClusterSpec, SshNode, SshSpec } from "@drover/contract";
import { minorsBetween, parseKubernetesVersion } from "./kubernetes-version.ts";
import type { ChangeRule, Difference, Judge, Judgement } from "./spec-rules.ts";
import { judged, rule, rules } from "./spec-rules.ts";
import { judgeVersion } from "./spec-rules-version.ts";

/* Machines over SSH: node by node, drained first and with the quorum kept, nearly everything can be changed. */

const node: Judge = (change, specs) => {
  const refusal = refuseRenaming(change, specs) ?? refuseLosingAll(specs);
  if (refusal !== null) return refusal;
  return change.before === undefined
    ? { change: "rolling", reason: "The machine is prepared and joins." }
    : { change: "rolling", reason: "The node is drained, leaves and is reset; the etcd quorum is kept." };
};

const address: Judge = ({ after }, specs) => {
  const moved = nodesOf(specs.after).filter((one) => one.address === after);
  const isTaken = moved.some((one) => isOfAnother(one, specs.after, specs.before));
  return (isTaken ? RENAMED : refuseLosingAll(specs)) ?? { change: "rolling", reason: REJOIN };
};

const isControlPlane = (roles: unknown): boolean => Array.isArray(roles) && roles.includes("controlplane");

/** Members of a database that runs apart are let in and retired on running workers; nothing else changes its part. */
const roles: Judge = ({ before, after }) =>
  isControlPlane(before) === isControlPlane(after)
    ? { change: "rolling", reason: "The database takes the node in, or forgets it; the node stays." }
    : {
        change: "forbidden",
        reason:
          "A running node does not turn from a worker into a control plane, or back: remove the node, apply, then add it with the other role.",
      };

type Specs = Parameters<Judge>[1];

const nodesOf = ({ ssh }: ClusterSpec): SshSpec["nodes"] => ssh?.nodes ?? [];

/** A machine that stays keeps the name of its node: it would be reset under the old name while it runs under the new one. */
const RENAMED: Judgement = {
  change: "forbidden",
  reason: "A machine cannot change the name of its node: remove the node, then add it under the other name.",
};

function refuseRenaming({ before, after }: Difference, specs: Specs): Judgement | null {
  const isRenamed =
    before === undefined
      ? isOfAnother(after as SshNode, specs.after, specs.before)
      : isOfAnother(before as SshNode, specs.before, specs.after);
  return isRenamed ? RENAMED : null;
}

/** Whether the other spec has another node at the place of this one. */
function isOfAnother(one: SshNode, own: ClusterSpec, other: ClusterSpec): boolean {
  const place = placeOf(own, one);
  return nodesOf(other).some((node) => node.name !== one.name && placeOf(other, node) === place);
}

const placeOf = ({ ssh }: ClusterSpec, one: SshNode): string => `${one.address}:${one.port ?? ssh?.access.port}`;

/** The data of a cluster go from control plane to control plane: one has to be there before and after. */
function refuseLosingAll({ before, after }: Specs): Judgement | null {
  const isKept = nodesOf(before).some(
    (one) =>
      isControlPlane(one.roles) &&
      nodesOf(after).some(
        (other) => other.name === one.name && other.address === one.address && isControlPlane(other.roles),
      ),
  );
  if (isKept || !nodesOf(before).some((one) => isControlPlane(one.roles))) return null;
  return {
    change: "forbidden",
    reason:
      "No control plane keeps its name and address, and with them its data: keep one control plane until the new ones have joined.",
  };
}

/** Each minor is a change of its own: only its release among the artifacts says what lies on the way. */
const judgeSshVersion: Judge = (change, ...context) => {
  const { before, after } = change;
  const from = typeof before === "string" ? parseKubernetesVersion(before) : null;
  const to = typeof after === "string" ? parseKubernetesVersion(after) : null;
  const minors = from === null || to === null ? null : minorsBetween(from, to);
  if (from === null || minors === null || minors <= 1) return judgeVersion(change, ...context);
  const next = `v${from.major}.${from.minor + 1}`;
  return { change: "forbidden", reason: `No minor may be left out: declare a release of ${next} first.` };
};

const REJOIN = "The node is drained, leaves and joins anew.";
const CONTROL_PLANES = "Control planes are restarted one at a time.";
const EVERY_NODE = "Nodes are drained and restarted in waves.";
const RUNTIME = "containerd is restarted where that is needed; pods run on.";
const FROM_THE_START = "It is built into the cluster from the first node on.";

export const SSH_RULES: readonly ChangeRule[] = [
  judged("spec.kubernetes.version", judgeSshVersion),
  rule("spec.placement.host", "nothing", "It decides which worker acts, not what the cluster is."),

  ...rules(
    "spec.networking",
    ["podSubnet", "serviceSubnet", "dnsDomain", "apiServer.address", "apiServer.port", "cni.type", "cni.manifest"],
    "recreate",
    FROM_THE_START,
  ),
  rule("spec.networking.kubeProxyMode", "recreate", FROM_THE_START),
  rule("spec.networking.ports", "forbidden", "Only kind and k3d publish ports of their host."),

  rule("spec.ssh.distribution", "recreate", "kubeadm and k3s cannot be turned into each other."),
  judged("spec.ssh.nodes[]", node),
  judged("spec.ssh.nodes[].address", address),
  judged("spec.ssh.nodes[].roles", roles),
  rule("spec.ssh.nodes[].internalAddress", "rolling", REJOIN),
  ...rules("spec.ssh.nodes[]", ["port", "user", "hostKey"], "nothing", "Only the way to the machine changes."),
  ...rules("spec.ssh.nodes[]", ["labels.**", "taints"], "in-place", "It is set on the running node."),
  rule("spec.ssh.access.**", "nothing", "Only the way to the machines changes."),
  rule("spec.ssh.schedulableControlPlane", "in-place", "A taint of the control planes is set or taken off."),

  ...rules("spec.ssh.endpoint", ["type", "host", "port", "virtualIp"], "recreate", FROM_THE_START),
  ...rules("spec.ssh.endpoint", ["interface", "routerId"], "rolling", CONTROL_PLANES),
  ...rules("spec.ssh.etcd", ["topology", "dataDirectory"], "recreate", "The data of etcd cannot be moved."),
  rule("spec.ssh.etcd.extraArgs", "recreate", FROM_THE_START),

  rule("spec.ssh.containerd.install", "nothing", "It matters only on machines that join later."),
  rule("spec.ssh.containerd.version", "nothing", "It matters only on machines that join later."),
  rule("spec.ssh.containerd.dataDirectory", "recreate", "What containerd keeps cannot be moved."),
  rule("spec.ssh.containerd.patches", "in-place", RUNTIME),
  rule("spec.ssh.artifacts.**", "nothing", "It decides where the next files come from."),
  rule("spec.ssh.registryMirrors.**", "in-place", RUNTIME),
  rule("spec.ssh.preloadImages", "in-place", "Images are loaded onto the running nodes."),
  rule("spec.ssh.proxy.**", "in-place", RUNTIME),

  rule("spec.ssh.certificates.sans", "rolling", CONTROL_PLANES),
  rule("spec.ssh.certificates.validityDays", "nothing", "It holds for certificates from the next renewal on."),
  rule("spec.ssh.certificates.caValidityDays", "recreate", "The certificate authority is made once."),
  rule("spec.ssh.apiServer.**", "rolling", CONTROL_PLANES),
  rule("spec.ssh.kubeletArgs", "in-place", "The kubelets are restarted; pods run on."),
  rule("spec.ssh.kubeadmPatches", "recreate", FROM_THE_START),
  rule("spec.ssh.k3sArgs", "rolling", EVERY_NODE),

  rule("spec.ssh.lostMachines", "rolling", "The cluster forgets the nodes of these machines; the etcd quorum is kept."),
  rule("spec.ssh.backup.**", "nothing", "It holds from the next snapshot on."),
  rule("spec.ssh.upgrade.**", "nothing", "It holds from the next upgrade on."),
];
