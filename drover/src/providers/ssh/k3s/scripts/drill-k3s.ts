import type { Script } from "../../scripts/script.ts";

/** Ends and removes everything of a drill, of this one or of one that was cut off. Argument: its folder. */
export const CLEAR_K3S_DRILL: Script = {
  name: "drover-clear-k3s-drill",
  text: `set -u
folder=$1
systemctl stop drover-drill.service 2>/dev/null
systemctl reset-failed drover-drill.service 2>/dev/null
if systemctl -q is-active drover-drill.service; then
  echo "The server of the drill does not end; see systemctl status drover-drill." >&2
  exit 1
fi
rm -rf --one-file-system -- "$folder"
`,
};

/**
 * Starts a server of k3s on a snapshot, as a unit of its own: in a network in which nobody else is, and with folders of
 * its own in the place of those that k3s and a kubelet write to. With the unit ends all that it started. Arguments: the
 * folder, the data of k3s, the program, an address for it.
 */
export const START_K3S_DRILL: Script = {
  name: "drover-start-k3s-drill",
  text: `set -eu
folder=$1; data=$2; program=$3; address=$4
cd "$folder"
mkdir -p rancher run kubelet k3s
# What the program unpacks itself to is there already.
ln -sfn "$data/data" k3s/data
systemd-run -q --unit drover-drill --collect -p Nice=10 \\
  -p KillMode=control-group -p KillSignal=SIGKILL -p TimeoutStopSec=5s -p PrivateNetwork=yes -p PrivateMounts=yes \\
  -p "BindPaths=$folder/rancher:/etc/rancher $folder/run:/run/k3s $folder/kubelet:/var/lib/kubelet" \\
  -p "EnvironmentFile=$folder/token.env" -p "StandardOutput=file:$folder/log" -p "StandardError=file:$folder/log" \\
  sh -c 'set -eu
folder=$1; program=$2; address=$3
for place in "$folder"/k3s/data/current/bin "$folder"/k3s/data/current/bin/aux; do PATH=$PATH:$place; done
ip link set lo up
ip address add "$address" dev lo
case $address in
  *:*) ip -6 route add default dev lo ;;
  *) ip route add default dev lo ;;
esac
"$program" server --data-dir "$folder/k3s" --config "$folder/config.yaml" \\
  --cluster-reset --cluster-reset-restore-path="$folder/snapshot.db"
touch "$folder/restored"
exec "$program" server --data-dir "$folder/k3s" --config "$folder/config.yaml"
' drover-drill "$folder" "$program" "$address"
`,
};

/**
 * Asks the API of a drill. Ends with 3 where k3s could make nothing of the snapshot, and with 4 where it has ended later;
 * its own last words are told then. Arguments: the folder, the program, what to ask for.
 */
export const ASK_K3S_DRILL: Script = {
  name: "drover-ask-k3s-drill",
  text: `set -u
folder=$1; program=$2; path=$3
process=$(systemctl show -p MainPID --value drover-drill.service)
if [ "\${process:-0}" = 0 ]; then
  { grep -E 'level=(fatal|error)|^Error' "$folder/log" || tail -n 3 "$folder/log"; } 2>/dev/null | tail -n 3 >&2
  [ -e "$folder/restored" ] && exit 4
  exit 3
fi
exec nsenter -t "$process" -n "$program" kubectl --kubeconfig "$folder/kubeconfig" --cache-dir "$folder/kubectl" \\
  --request-timeout 5s get --raw "$path"
`,
};
