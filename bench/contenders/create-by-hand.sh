#!/usr/bin/env bash
# What a careful person would type to make a cluster of kubeadm on machines by SSH: everything compared with its checksum
# before and after it was sent, machines side by side, connections shared, every command checked.
#   create-by-hand.sh up | down
# FOLDER has machines (name address port user, the control plane first), known_hosts, key, extra.yaml.
set -euo pipefail
: "${FOLDER:?}" "${ARTIFACTS:?}" "${VERSION:?}"
mapfile -t MACHINES <"$FOLDER/machines"
WORKERS=("${MACHINES[@]:1}")
FIRST=${MACHINES[0]}
address_of() { set -- $1; echo "$2"; }
name_of() { set -- $1; echo "$1"; }
OPTIONS=(-i "$FOLDER/key" -o BatchMode=yes -o "UserKnownHostsFile=$FOLDER/known_hosts" -o StrictHostKeyChecking=yes -o LogLevel=ERROR
  -o ControlMaster=auto -o "ControlPath=$FOLDER/%h-%p" -o ControlPersist=120 -o Compression=no)
on() { local machine=$1; shift; set -- "$machine" "$@"; local parts=($1); shift; ssh "${OPTIONS[@]}" -p "${parts[2]}" "${parts[3]}@${parts[1]}" "$@"; }
each() {
  local work=$1 machine pids=() pid; shift
  for machine in "$@"; do "$work" "$machine" & pids+=($!); done
  for pid in "${pids[@]}"; do wait "$pid"; done
}

check_artifacts() { (cd "$ARTIFACTS" && grep -E "  (\./)?($VERSION/|cni/|manifests/)" SHA256SUMS | grep -v -E '/bin/(etcd|kube-|coredns|etcdutl)' | sha256sum -c --quiet); }

check_machine() {
  on "$1" 'set -e
    [ "$(id -u)" = 0 ]; [ "$(awk "/MemTotal/ { print \$2 }" /proc/meminfo)" -ge 1700000 ]; [ "$(awk "NR > 1" /proc/swaps | wc -l)" = 0 ]
    for program in ip iptables mount nsenter containerd; do command -v $program >/dev/null; done
    ! ls -d /etc/kubernetes/kubelet.conf /etc/kubernetes/manifests/*.yaml 2>/dev/null
    ! ss -Hltn "sport = :6443 or sport = :10250 or sport = :2379" | grep -q .'
}

send() {
  local machine=$1 to=$2; shift 2
  tar -C "$ARTIFACTS" -cf - "$@" | on "$machine" "mkdir -p $to && tar -C $to --no-same-owner -xf -"
}

equip() {
  local machine=$1 images=() image pause
  pause=$(grep /pause: "$ARTIFACTS/$VERSION/images.list")
  for image in "$ARTIFACTS/$VERSION"/images/*.tar; do
    case $(basename "$image" .tar) in
      kube-apiserver | kube-controller-manager | kube-scheduler | etcd | kube-vip) [ "$machine" = "$FIRST" ] || continue ;;
    esac
    images+=("$VERSION/images/$(basename "$image")")
  done
  local programs=("$VERSION/bin/kubeadm" "$VERSION/bin/kubelet" "$VERSION/bin/crictl")
  if [ "$machine" = "$FIRST" ]; then programs+=("$VERSION/bin/kubectl" "$VERSION/bin/etcdctl"); fi
  send "$machine" /root/brought cni "${programs[@]}" "${images[@]}" SHA256SUMS
  on "$machine" "set -e; cd /root/brought
    find . -type f ! -name SHA256SUMS | sed 's|^[.]/||' | while read -r file; do grep -E \"  ([.]/)?\$file\$\" SHA256SUMS; done | sha256sum -c --quiet
    install -m 755 $VERSION/bin/* /usr/local/bin/; mkdir -p /opt/cni/bin; install -m 755 cni/* /opt/cni/bin/
    printf 'overlay\nbr_netfilter\n' >/etc/modules-load.d/by-hand.conf; modprobe -a overlay br_netfilter 2>/dev/null || true
    printf 'net.ipv4.ip_forward = 1\n' >/etc/sysctl.d/99-by-hand.conf; sysctl -q -p /etc/sysctl.d/99-by-hand.conf
    cat >/etc/containerd/config.toml; systemctl restart containerd
    for image in $VERSION/images/*.tar; do ctr -n k8s.io images import --digests=false \$image >/dev/null; done
    rm -rf /root/brought" <<TOML
version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "$pause"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = true
TOML
  on "$machine" "cat >/etc/systemd/system/kubelet.service; printf 'runtime-endpoint: unix:///run/containerd/containerd.sock\n' >/etc/crictl.yaml
    systemctl daemon-reload; systemctl enable -q kubelet" <<'UNIT'
[Unit]
Description=kubelet
After=containerd.service
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
ExecStart=/usr/local/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS
Restart=always
RestartSec=2
[Install]
WantedBy=multi-user.target
UNIT
}

up() {
  check_artifacts
  each check_machine "${MACHINES[@]}"
  each equip "${MACHINES[@]}"
  { cat <<YAML
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: { advertiseAddress: $(address_of "$FIRST"), bindPort: 6443 }
nodeRegistration: { name: $(name_of "$FIRST"), criSocket: "unix:///run/containerd/containerd.sock", imagePullPolicy: IfNotPresent }
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: $VERSION
controlPlaneEndpoint: "$(address_of "$FIRST"):6443"
networking: { podSubnet: 10.244.0.0/16 }
YAML
    cat "$FOLDER/extra.yaml"; } | on "$FIRST" 'umask 077; cat >/root/kubeadm.yaml; kubeadm init --config /root/kubeadm.yaml' >"$FOLDER/init.log" 2>&1
  on "$FIRST" 'kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f -' <"$ARTIFACTS/manifests/flannel.yml" >/dev/null
  local join; join=$(on "$FIRST" 'kubeadm token create --print-join-command')
  join_one() { on "$1" "$join --node-name $(name_of "$1")" >"$FOLDER/join-$(name_of "$1").log" 2>&1; }
  each join_one "${WORKERS[@]}"
  on "$FIRST" 'kubectl --kubeconfig /etc/kubernetes/admin.conf wait --for=condition=Ready node --all --timeout=180s
    kubectl --kubeconfig /etc/kubernetes/admin.conf -n kube-system wait --for=condition=Ready pod --all --timeout=180s' >/dev/null
}

clear() {
  on "$1" 'kubeadm reset -f --cri-socket unix:///run/containerd/containerd.sock >/dev/null 2>&1 || true
    systemctl disable -q --now kubelet 2>/dev/null
    for container in $(ctr -n k8s.io containers ls -q); do ctr -n k8s.io tasks kill -s KILL $container; ctr -n k8s.io tasks delete -f $container; ctr -n k8s.io containers delete $container; done >/dev/null 2>&1
    images=$(ctr -n k8s.io images ls -q); [ -z "$images" ] || ctr -n k8s.io images rm --sync $images >/dev/null
    for link in cni0 flannel.1; do ip link delete $link 2>/dev/null; done
    iptables-save | grep -v -E "KUBE-|FLANNEL-|CNI-" | iptables-restore
    rm -rf /etc/kubernetes /etc/cni/net.d /opt/cni/bin /var/lib/etcd/* /var/lib/cni /run/flannel /etc/systemd/system/kubelet.service /etc/crictl.yaml \
      /etc/sysctl.d/99-by-hand.conf /etc/modules-load.d/by-hand.conf /root/kubeadm.yaml /root/.kube /usr/local/bin/kube* /usr/local/bin/crictl /usr/local/bin/etcdctl
    find /var/lib/kubelet -mindepth 1 -delete 2>/dev/null; systemctl daemon-reload; true'
}

down() { each clear "${MACHINES[@]}"; for machine in "${MACHINES[@]}"; do on "$machine" -O exit 2>/dev/null || true; done; }

"$1"
