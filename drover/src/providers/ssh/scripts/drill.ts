import type { Script } from "./script.ts";

/** Ends and removes everything of a drill, of this one or of one that was cut off. Argument: its folder. */
export const CLEAR_DRILL: Script = {
  name: "drover-clear-drill",
  text: `set -u
folder=$1
systemctl stop drover-drill.service 2>/dev/null
systemctl reset-failed drover-drill.service 2>/dev/null
if systemctl -q is-active drover-drill.service; then
  echo "The database of the drill does not end; see systemctl status drover-drill." >&2
  exit 1
fi
for name in drover-drill-apiserver drover-drill-etcd; do
  ctr -n k8s.io tasks kill -s SIGKILL "$name" >/dev/null 2>&1
  round=0
  while [ "$round" -lt 50 ]; do
    ctr -n k8s.io tasks rm "$name" >/dev/null 2>&1
    ctr -n k8s.io tasks ls -q 2>/dev/null | grep -qx "$name" || break
    round=$((round + 1))
    sleep 0.2
  done
  ctr -n k8s.io containers rm "$name" >/dev/null 2>&1
done
left=$(ctr -n k8s.io containers ls -q) || exit 1
if printf '%s\n' "$left" | grep -q '^drover-drill-'; then
  echo "A container of the drill does not go away; see ctr -n k8s.io containers ls." >&2
  exit 1
fi
rm -rf "$folder"
`,
};

/**
 * Starts the database of a drill on loopback ports, with the certificates of this machine. Arguments: its folder, the
 * image, the port for clients, the port for peers.
 */
export const START_DRILL_ETCD: Script = {
  name: "drover-start-drill-etcd",
  text: `set -eu
folder=$1; image=$2; client=$3; peer=$4
pki=/etc/kubernetes/pki/etcd
ctr -n k8s.io run -d --net-host \
  --mount "type=bind,src=$folder/data,dst=/drill,options=rbind:rw" \
  --mount "type=bind,src=$pki,dst=$pki,options=rbind:ro" \
  "$image" drover-drill-etcd etcd --name drill --data-dir /drill \
  --listen-client-urls "https://127.0.0.1:$client" --advertise-client-urls "https://127.0.0.1:$client" \
  --listen-peer-urls "https://127.0.0.1:$peer" --initial-advertise-peer-urls "https://127.0.0.1:$peer" \
  --initial-cluster "drill=https://127.0.0.1:$peer" \
  --cert-file "$pki/server.crt" --key-file "$pki/server.key" --client-cert-auth --trusted-ca-file "$pki/ca.crt" \
  --peer-cert-file "$pki/peer.crt" --peer-key-file "$pki/peer.key" --peer-client-cert-auth \
  --peer-trusted-ca-file "$pki/ca.crt"
`,
};

/**
 * The same beside a database that is a service. Arguments: the folder of the drill, the program, the folder of the
 * certificates, the port for clients, the port for peers.
 */
export const START_DRILL_MEMBER: Script = {
  name: "drover-start-drill-member",
  text: `set -eu
folder=$1; program=$2; pki=$3; client=$4; peer=$5
systemd-run -q --unit drover-drill --collect -p Nice=10 -p KillSignal=SIGKILL -p TimeoutStopSec=5s \\
  "$program" --name drill --data-dir "$folder/data" \\
  --listen-client-urls "https://127.0.0.1:$client" --advertise-client-urls "https://127.0.0.1:$client" \\
  --listen-peer-urls "https://127.0.0.1:$peer" --initial-advertise-peer-urls "https://127.0.0.1:$peer" \\
  --initial-cluster "drill=https://127.0.0.1:$peer" \\
  --cert-file "$pki/server.crt" --key-file "$pki/server.key" --client-cert-auth --trusted-ca-file "$pki/ca.crt" \\
  --peer-cert-file "$pki/peer.crt" --peer-key-file "$pki/peer.key" --peer-client-cert-auth \\
  --peer-trusted-ca-file "$pki/ca.crt"
`,
};

/**
 * Starts an API server on the database of a drill: on loopback, with the keys of this cluster, for its administrator alone.
 * Arguments: the image, its port, the port of the database, the range of service addresses, the file of the keys of
 * Secrets or nothing.
 */
export const START_DRILL_API: Script = {
  name: "drover-start-drill-api",
  text: `set -eu
image=$1; port=$2; client=$3; services=$4; keys=$5
pki=/etc/kubernetes/pki
set -- ctr -n k8s.io run -d --net-host --mount "type=bind,src=$pki,dst=$pki,options=rbind:ro"
if [ -n "$keys" ]; then set -- "$@" --mount "type=bind,src=$keys,dst=$keys,options=rbind:ro"; fi
set -- "$@" "$image" drover-drill-apiserver kube-apiserver --bind-address 127.0.0.1 --secure-port "$port" \
  --etcd-servers "https://127.0.0.1:$client" --etcd-cafile "$pki/etcd/ca.crt" \
  --etcd-certfile "$pki/apiserver-etcd-client.crt" --etcd-keyfile "$pki/apiserver-etcd-client.key" \
  --client-ca-file "$pki/ca.crt" --tls-cert-file "$pki/apiserver.crt" --tls-private-key-file "$pki/apiserver.key" \
  --service-account-issuer https://kubernetes.default.svc.cluster.local --service-account-key-file "$pki/sa.pub" \
  --service-account-signing-key-file "$pki/sa.key" --service-cluster-ip-range "$services" \
  --authorization-mode Node,RBAC --anonymous-auth=false --endpoint-reconciler-type none --profiling=false
if [ -n "$keys" ]; then set -- "$@" --encryption-provider-config "$keys"; fi
"$@"
`,
};
