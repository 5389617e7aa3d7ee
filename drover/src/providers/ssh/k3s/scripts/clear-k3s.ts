import type { Script } from "../../scripts/script.ts";

/**
 * Stops k3s and what it started, which outlives it, and takes away links, routes and rules. Argument: the network of the
 * pods. Files stay.
 */
export const CLEAR_K3S: Script = {
  name: "drover-clear-k3s",
  text: `set -u
exec 2>&1
pods=$1
# What the machine itself may lack comes with k3s.
for folder in /var/lib/rancher/k3s/data/*/bin; do [ -d "$folder" ] && PATH=$PATH:$folder:$folder/aux; done
for unit in k3s k3s-agent; do systemctl disable -q --now "$unit" 2>/dev/null; done
systemctl stop drover-drill.service 2>/dev/null
tree() { for one; do echo "$one"; tree $(ps -o pid= --ppid "$one"); done; }
for round in 1 2 3; do
  shims=$(ps -e -o pid= -o args= | awk '$2 ~ "/k3s/data/[^/]*/bin/containerd-shim" { print $1 }')
  [ -n "$shims" ] || break
  kill -9 $(tree $shims) 2>/dev/null
  sleep 0.2
done
systemctl stop kubepods.slice 2>/dev/null
for prefix in /run/k3s /var/lib/kubelet/ /run/netns/cni- /var/lib/rancher/; do
  awk -v prefix="$prefix" 'index($2, prefix) == 1 { print $2 }' /proc/self/mounts | LC_ALL=C sort -r |
    while read -r place; do umount "$place" 2>/dev/null || umount -l "$place"; done
done
rm -f /run/netns/cni-*
for link in $(ls /sys/class/net | grep -E '^(cni0|flannel[.-].*|kube-ipvs0|kube-bridge|nodelocaldns|cali.*|cilium_.*)$'); do
  ip link delete "$link" 2>/dev/null
done
case $pods in
  *:*) family=-6 ;;
  *) family=-4 ;;
esac
ip "$family" route flush root "$pods" 2>/dev/null
for tables in iptables ip6tables; do
  command -v "$tables-save" >/dev/null || continue
  rules=$("$tables-save" 2>/dev/null) || continue
  case $rules in
    *KUBE-*|*FLANNEL-*|*CNI-*|*"$pods"*)
      printf '%s\\n' "$rules" | grep -v -E 'KUBE-|FLANNEL-|CNI-' | grep -v -F -e "$pods" | "$tables-restore" ;;
  esac
done
if command -v nft >/dev/null; then
  for family in ip ip6; do nft delete table "$family" kube-proxy 2>/dev/null; done
fi
if command -v ipvsadm >/dev/null; then ipvsadm --clear 2>/dev/null; fi
if command -v ipset >/dev/null; then
  for set in $(ipset list -n 2>/dev/null | grep '^\\(inet6:\\)\\{0,1\\}KUBE-'); do ipset destroy "$set" 2>/dev/null; done
fi
true
`,
};

/**
 * What an attempt that was cut off has left, apart from what was brought. Arguments: the folders of k3s's data and of the
 * images in it, then further files.
 */
export const FORGET_ATTEMPT: Script = {
  name: "drover-forget-k3s-attempt",
  text: `set -eu
data=$1; images=$2; shift 2
rm -f -- "$@"
rm -rf --one-file-system -- "$data/server" /etc/rancher/node /var/lib/cni
if [ -d "$data/agent" ]; then
  find "$data/agent" -mindepth 1 -maxdepth 1 ! -path "$images" -exec rm -rf --one-file-system -- {} +
fi
if [ -d /var/lib/kubelet ]; then find /var/lib/kubelet -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system -- {} +; fi
`,
};
