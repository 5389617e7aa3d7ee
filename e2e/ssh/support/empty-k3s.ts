/** A server as if somebody had installed its machine anew. */
export const EMPTY_K3S = `systemctl disable -q --now k3s
pkill -9 -f '/k3s/data/[^/]*/bin/containerd-shim' || true
sleep 1
awk '$2 ~ "^/(run/k3s|run/netns/cni-|var/lib/kubelet/|var/lib/rancher/)" { print $2 }' /proc/self/mounts | sort -r | xargs -r -n 1 umount -l
ip link delete cni0 2>/dev/null || true
rm -rf /etc/systemd/system/k3s* /etc/default/k3s* /etc/rancher /etc/drover /var/lib/drover /var/lib/rancher/* /var/lib/kubelet/* /var/lib/cni /usr/libexec/kubernetes /.kube
for name in k3s kubectl crictl ctr; do rm -f /usr/local/bin/$name; done
systemctl daemon-reload`;
