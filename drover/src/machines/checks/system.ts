import { type CheckedNode, isMember, type PlannedCluster } from "./checked-node.ts";
import type { Finding } from "./finding.ts";

const ARCHITECTURES = ["amd64", "arm64"];

/** Wrong by more, certificates and leases go wrong as well. */
const SKEW_WARNING_MS = 2_000;
const SKEW_ERROR_MS = 30_000;

/** The package that brings a program, where it is not called like it. */
const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "apt-get": {
    ip: "iproute2",
    nsenter: "util-linux",
    mount: "mount",
    modprobe: "kmod",
    tar: "tar",
    conntrack: "conntrack",
  },
  dnf: { ip: "iproute", nsenter: "util-linux", mount: "util-linux", modprobe: "kmod", conntrack: "conntrack-tools" },
  yum: { ip: "iproute", nsenter: "util-linux", mount: "util-linux", modprobe: "kmod", conntrack: "conntrack-tools" },
  zypper: {
    ip: "iproute2",
    nsenter: "util-linux",
    mount: "util-linux",
    modprobe: "kmod",
    conntrack: "conntrack-tools",
  },
  apk: {
    ip: "iproute2",
    nsenter: "util-linux-misc",
    mount: "util-linux",
    modprobe: "kmod",
    conntrack: "conntrack-tools",
  },
  pacman: {
    ip: "iproute2",
    nsenter: "util-linux",
    mount: "util-linux",
    modprobe: "kmod",
    conntrack: "conntrack-tools",
  },
};

const INSTALL: Readonly<Record<string, string>> = {
  "apt-get": "apt-get install -y",
  dnf: "dnf install -y",
  yum: "yum install -y",
  zypper: "zypper --non-interactive install",
  apk: "apk add",
  pacman: "pacman -S --noconfirm",
};

/** kubeadm refuses a machine without these; k3s brings its own. */
const NEEDED = ["ip", "iptables", "mount", "nsenter"];
const NEEDED_ALWAYS = ["mount", "tar", "sha256sum"];
/** Without it kube-proxy cannot forget connections to pods that are gone. */
const USEFUL = ["conntrack"];

/** The system itself: what it is, its clock, its programs, and whether we may change anything. */
export function* findSystemProblems(node: CheckedNode, plan: PlannedCluster | null): Generator<Finding> {
  const { facts } = node;
  if (!facts.root) {
    yield {
      code: "machine-not-root",
      message: "The user that logs in is not root, and does not become it.",
      next: "Set sudo of the machine to passwordless or password.",
    };
  }
  if (facts.architecture !== null && !ARCHITECTURES.includes(facts.architecture)) {
    yield {
      code: "machine-architecture",
      message: `It is a machine with ${facts.architecture}; Drover supports ${ARCHITECTURES.join(" and ")}.`,
    };
  }
  yield* findInitProblems(node, plan);
  yield* findClockProblems(node);
  yield* findMissingPrograms(node, plan);
}

function* findInitProblems({ facts }: CheckedNode, plan: PlannedCluster | null): Generator<Finding> {
  if (facts.init === null || facts.init === "systemd") return;
  if (facts.init === "openrc" && plan === null) return;
  yield {
    code: "machine-os",
    message: `Its services are run by ${facts.init}${facts.os === null ? "" : ` (${facts.os.title ?? facts.os.id})`}.`,
  };
}

function* findClockProblems({ facts }: CheckedNode): Generator<Finding> {
  const skew = facts.clockSkewMs;
  if (skew === null || Math.abs(skew) < SKEW_WARNING_MS) return;
  yield {
    code: "machine-clock",
    severity: Math.abs(skew) < SKEW_ERROR_MS ? "warning" : "error",
    message: `Its clock is ${describeTime(Math.abs(skew))} ${skew > 0 ? "ahead of" : "behind"} the worker's.`,
    command: facts.init === "systemd" ? "timedatectl set-ntp true" : "ntpd -q -p pool.ntp.org",
  };
}

const describeTime = (ms: number): string =>
  ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;

function* findMissingPrograms(node: CheckedNode, plan: PlannedCluster | null): Generator<Finding> {
  if (isMember(node, plan)) return;
  const { facts } = node;
  const isK3s = plan?.spec.ssh?.distribution === "k3s";
  const isMissing = (name: string) => facts.programs[name] === false;
  const needed = (isK3s ? NEEDED_ALWAYS : [...NEEDED, ...NEEDED_ALWAYS]).filter(
    (name, at, all) => all.indexOf(name) === at,
  );
  const errors = needed.filter(isMissing);
  if (errors.length > 0) yield missing(facts.packageManager, errors, "error");
  const warnings = isK3s ? [] : USEFUL.filter(isMissing);
  if (warnings.length > 0) yield missing(facts.packageManager, warnings, "warning");
}

function missing(manager: string | null, names: readonly string[], severity: "error" | "warning"): Finding {
  const install = manager === null ? undefined : INSTALL[manager];
  const packages = [...new Set(names.map((name) => PACKAGES[manager ?? ""]?.[name] ?? name))].sort();
  return {
    ...{ code: "machine-program-missing", severity },
    message: `It has no ${names.join(", ")}.`,
    ...(install === undefined ? {} : { command: `${install} ${packages.join(" ")}` }),
  };
}
