import type { CheckedNode, PlannedCluster } from "./checked-node.ts";
import type { Finding } from "./finding.ts";

/** From this minor on the kubelet refuses cgroup v1. */
const NEEDS_CGROUP_2 = 35;

/** Drover loads these and switches forwarding on when it makes a node, where the machine lets it. */
const NEEDED_MODULES = ["overlay", "nf_conntrack"];

/** Control groups, forwarding and modules. */
export function* findKernelProblems({ facts }: CheckedNode, plan: PlannedCluster | null): Generator<Finding> {
  const minor = minorOf(plan?.spec.kubernetes?.version);
  if (facts.cgroup === "v1" && minor !== null && minor >= NEEDS_CGROUP_2) {
    yield {
      code: "machine-cgroup",
      message: `It uses cgroup v1; Kubernetes 1.${minor} needs v2.`,
      command: "grubby --update-kernel=ALL --args=systemd.unified_cgroup_hierarchy=1 && reboot",
      ...(facts.packageManager === "apt-get" ? { command: GRUB_OF_DEBIAN } : {}),
    };
  }
  if (facts.sysctls["net.ipv4.ip_forward"] === "0") {
    yield {
      code: "machine-forwarding",
      severity: "warning",
      message: "net.ipv4.ip_forward is 0; Drover switches it on when it makes the node.",
      command: "sysctl -w net.ipv4.ip_forward=1 && echo net.ipv4.ip_forward=1 >/etc/sysctl.d/90-forward.conf",
    };
  }
  const missing = NEEDED_MODULES.filter((name) => facts.modules[name] === false);
  if (missing.length === 0) return;
  yield {
    code: "machine-module",
    message: `Its kernel ${facts.kernel ?? ""} has no module ${missing.join(", ")}.`,
    command: `modprobe -a ${missing.join(" ")}`,
  };
}

const GRUB_OF_DEBIAN = `sed -i 's/^GRUB_CMDLINE_LINUX="/&systemd.unified_cgroup_hierarchy=1 /' /etc/default/grub && update-grub && reboot`;

function minorOf(version: string | undefined): number | null {
  const minor = /^v?1\.(\d{1,4})/.exec(version ?? "")?.[1];
  return minor === undefined ? null : Number(minor);
}
