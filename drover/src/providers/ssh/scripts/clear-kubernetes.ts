import { ETCD_UNIT } from "../machine-paths.ts";
import type { Script } from "./script.ts";

/**
 * Stops what kubelet started, and removes what `kubeadm reset` leaves: images, links, rules. Arguments: the folder of the
 * list of things as found, and the folder where containerd keeps its data.
 */
export const CLEAR_KUBERNETES: Script = {
  name: "drover-clear-kubernetes",
  text: `set -u
exec 2>&1
list=$1/as-found.tsv; data=$2
systemctl disable -q --now kubelet 2>/dev/null
systemctl disable -q --now ${ETCD_UNIT} 2>/dev/null
systemctl stop drover-drill.service 2>/dev/null
if systemctl -q is-active containerd; then
  for container in $(ctr -n k8s.io containers ls -q); do
    ctr -n k8s.io tasks kill -s KILL "$container" >/dev/null 2>&1
    ctr -n k8s.io tasks delete -f "$container" >/dev/null 2>&1
    ctr -n k8s.io containers delete "$container" >/dev/null 2>&1
  done
  images=$(ctr -n k8s.io images ls -q)
  if [ -n "$images" ]; then ctr -n k8s.io images rm --sync $images >/dev/null; fi
  for lease in $(ctr -n k8s.io leases ls -q); do ctr -n k8s.io leases delete --sync "$lease" >/dev/null 2>&1; done
  for round in 1 2 3 4 5; do
    for snapshot in $(ctr -n k8s.io snapshots ls | awk 'NR > 1 { print $1 }'); do
      ctr -n k8s.io snapshots rm "$snapshot" >/dev/null 2>&1
    done
  done
  for blob in $(ctr -n k8s.io content ls -q); do ctr -n k8s.io content rm "$blob" >/dev/null 2>&1; done
  ctr namespaces rm k8s.io >/dev/null 2>&1
  # What others keep in containerd is not ours to tell apart by its files.
  if [ -n "$(ctr namespaces ls -q)" ] && [ -e "$list" ]; then
    awk -F '\\t' -v data="$data" '$2 != data' "$list" > "$list.new" && mv "$list.new" "$list"
  fi
  systemctl stop containerd
fi
# Nobody else keeps anything there, and its files go: what it remembers of them has to go as well.
if [ -e "$list" ] && awk -F '\\t' -v data="$data" '$2 == data { found = 1 } END { exit !found }' "$list"; then
  rm -f "$data/io.containerd.metadata.v1.bolt/meta.db"
fi
systemctl stop kubepods.slice 2>/dev/null
for link in $(ls /sys/class/net | grep -E '^(cni0|flannel[.].*|flannel-v6[.].*|kube-ipvs0|nodelocaldns|cali.*|cilium_.*)$'); do
  ip link delete "$link" 2>/dev/null
done
for space in /run/netns/cni-*; do
  [ -e "$space" ] || continue
  umount "$space" 2>/dev/null
  rm -f "$space"
done
for tables in iptables ip6tables; do
  command -v "$tables-save" >/dev/null || continue
  rules=$("$tables-save" 2>/dev/null) || continue
  case $rules in
    *KUBE-*|*FLANNEL-*|*CNI-*)
      printf '%s\\n' "$rules" | grep -v -E 'KUBE-|FLANNEL-|CNI-' | "$tables-restore" ;;
  esac
done
if command -v nft >/dev/null; then
  for family in ip ip6; do nft delete table "$family" kube-proxy 2>/dev/null; done
fi
if command -v ipvsadm >/dev/null; then ipvsadm --clear 2>/dev/null; fi
true
`,
};
