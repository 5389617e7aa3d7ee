/** Programs that Kubernetes, its runtime or Drover may call. */
export const PROGRAMS = [
  ...["ip", "iptables", "nft", "mount", "umount", "nsenter", "conntrack", "ebtables", "ethtool", "ipset", "socat"],
  ...["modprobe", "sysctl", "systemctl", "tar", "gzip", "sha256sum", "setsid", "flock", "stat", "curl", "crictl"],
  ...["docker"],
] as const;

export const MODULES = ["overlay", "br_netfilter", "nf_conntrack", "vxlan", "ip_vs"] as const;

export const SYSCTLS = [
  ...["net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding", "net.bridge.bridge-nf-call-iptables"],
  ...["vm.overcommit_memory", "vm.max_map_count", "kernel.panic"],
  ...["fs.inotify.max_user_instances", "fs.inotify.max_user_watches", "fs.file-max"],
] as const;

/** What a node leaves on its machine: each is told when it is there and not empty. */
export const TRACES = [
  ...["/etc/kubernetes/kubelet.conf", "/etc/kubernetes/admin.conf", "/etc/kubernetes/manifests"],
  ...["/etc/kubernetes/pki", "/var/lib/kubelet/config.yaml", "/var/lib/etcd"],
  ...["/etc/rancher/k3s", "/var/lib/rancher/k3s"],
] as const;

export const MARK_FILE = "/etc/drover/cluster.json";

/** Where clusters need room; a mount that is elsewhere may be dead, and to ask for it would not end. */
const ROOMS = "/ /var /var/lib /var/lib/containerd /var/lib/kubelet /var/lib/etcd /var/lib/rancher /opt /tmp";

const PACKAGE_MANAGERS = "apt-get dnf yum zypper apk pacman";

const VERSIONS: Readonly<Record<string, string>> = {
  containerd: "containerd --version",
  kubelet: "kubelet --version",
  kubeadm: "kubeadm version -o short",
  k3s: "k3s --version",
};

/**
 * Tells everything about a machine in one go: a word, a tab and what belongs to it, on one line each. It reads what the
 * kernel shows wherever it can, since every program costs a few milliseconds; those that answer slowly answer together.
 * Nothing here is needed: what is missing is not told. Plain POSIX, for dash, ash, bash and ksh alike.
 */
export const FACTS_SCRIPT = String.raw`
LC_ALL=C; export LC_ALL
tell() { printf '%s\t%s\n' "$1" "$2"; }
tell_file() { if [ -r "$2" ] && IFS= read -r line <"$2" || [ -n "$line" ]; then tell "$1" "$line"; fi 2>/dev/null; line=; }
has() { command -v "$1" >/dev/null 2>&1; }
exec 2>/dev/null </dev/null
line=
tell began "$(date +%s.%N)"
${Object.entries(VERSIONS)
  .map(([name, command]) => `has ${name} && ${command} | { IFS= read -r said && tell version "${name} $said"; } &`)
  .join("\n")}
tell uid "$(id -u)"
set -- $(uname -nrm)
tell uname "$*"
release=$2
for file in /etc/os-release /usr/lib/os-release; do
  [ -r "$file" ] || continue
  while IFS= read -r line; do
    case $line in ID=*|VERSION_ID=*|PRETTY_NAME=*) tell os "$line" ;; esac
  done <"$file"
  break
done
line=
tell cpus "$(nproc || getconf _NPROCESSORS_ONLN)"
while read -r key value rest; do
  case $key in MemTotal:|SwapTotal:) tell memory "$key $value" ;; esac
done </proc/meminfo
df -Pk ${ROOMS} | while IFS= read -r line; do tell disk "$line"; done
if has ip; then ip -o addr show | while IFS= read -r line; do tell address "$line"; done; fi
while IFS= read -r line; do tell route "$line"; done </proc/net/route
(cd /sys/class/net && for name in *; do IFS= read -r line <"$name/address" && tell mac "$name $line"; done)
tell_file machine-id /etc/machine-id
tell_file product-uuid /sys/class/dmi/id/product_uuid
if [ -s /run/systemd/container ]; then tell_file container /run/systemd/container
elif [ -e /.dockerenv ]; then tell container docker
elif [ -e /run/.containerenv ]; then tell container podman
fi
for name in ${PACKAGE_MANAGERS}; do if has "$name"; then tell packages "$name"; break; fi; done
if [ -d /run/systemd/system ]; then tell init systemd
elif [ -x /sbin/openrc-run ]; then tell init openrc
else tell_file init /proc/1/comm
fi
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then tell cgroup v2
elif [ -d /sys/fs/cgroup ]; then tell cgroup v1
fi
grep -h ' 0A ' /proc/net/tcp /proc/net/tcp6 | head -n 2000 | while IFS= read -r line; do tell port "$line"; done
if [ -r /sys/fs/selinux/enforce ]; then tell_file selinux /sys/fs/selinux/enforce; else tell selinux none; fi
tell_file apparmor /sys/module/apparmor/parameters/enabled
for path in ${TRACES.join(" ")}; do
  if [ -d "$path" ]; then
    for file in "$path"/* "$path"/.[!.]*; do if [ -e "$file" ]; then tell trace "$path"; break; fi; done
  elif [ -s "$path" ]; then tell trace "$path"
  fi
done
if [ -r ${MARK_FILE} ]; then head -c 4096 ${MARK_FILE} | while IFS= read -r line || [ -n "$line" ]; do tell mark "$line"; done; fi
for name in ${PROGRAMS.join(" ")}; do if has "$name"; then tell program "$name yes"; else tell program "$name no"; fi; done
for name in ${MODULES.join(" ")}; do
  if [ -d "/sys/module/$name" ]; then tell module "$name yes"
  elif [ -r "/lib/modules/$release/modules.dep" ]; then
    if grep -q "/$name[.]ko" "/lib/modules/$release/modules.dep" "/lib/modules/$release/modules.builtin"
    then tell module "$name yes"; else tell module "$name no"; fi
  fi
done
grep -H . ${SYSCTLS.map((name) => `/proc/sys/${name.replaceAll(".", "/")}`).join(" ")} |
  while IFS= read -r line; do tell sysctl "$line"; done
wait
tell ended "$(date +%s.%N)"
`;
