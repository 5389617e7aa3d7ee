import type { Script } from "./script.ts";

/**
 * Takes manifests away from the kubelet and waits until what they describe is gone. Arguments: where to put them, then the
 * names of the components. What is away already stays away.
 */
export const STOP_COMPONENTS: Script = {
  name: "drover-stop-components",
  text: `set -eu
aside=$1; shift
manifests=/etc/kubernetes/manifests
mkdir -p -m 700 "$aside"
systemctl -q is-active kubelet || systemctl start kubelet
for name; do
  if [ -e "$manifests/$name.yaml" ]; then mv -f "$manifests/$name.yaml" "$aside/$name.yaml"; fi
done
sync
left=
round=0
while [ "$round" -lt 120 ]; do
  left=
  for name; do
    # Nobody who cannot be asked is taken for gone.
    running=$(crictl ps -q --name "^$name$" 2>/dev/null) || running=unknown
    if [ -n "$running" ]; then left="$left $name"; fi
  done
  [ -z "$left" ] && exit 0
  round=$((round + 1))
  sleep 1
done
echo "Still running after two minutes:$left. See journalctl -u kubelet." >&2
exit 1
`,
};

/** Gives manifests back to the kubelet. Arguments: where they lie, then the names of the components. */
export const START_COMPONENTS: Script = {
  name: "drover-start-components",
  text: `set -eu
aside=$1; shift
manifests=/etc/kubernetes/manifests
for name; do
  if [ -e "$aside/$name.yaml" ]; then
    cp -p "$aside/$name.yaml" "$manifests/.$name.drover"
    sync
    mv -f "$manifests/.$name.drover" "$manifests/$name.yaml"
    rm -f "$aside/$name.yaml"
  fi
  if [ ! -e "$manifests/$name.yaml" ]; then
    echo "The manifest of $name is neither in $manifests nor in $aside." >&2
    exit 1
  fi
done
sync
`,
};

/** In a folder beside the data, where nothing reads it yet. */
const BUILD = `mkdir -p -m 700 "$side"
if [ "$(cat "$side/whole" 2>/dev/null)" != "$job" ]; then
  rm -rf "$side/new" "$side/whole"
  etcdutl snapshot restore "$snapshot" --data-dir "$side/new" --name "$name" \\
    --initial-advertise-peer-urls "$peer" --initial-cluster "$members" --initial-cluster-token "$token" \\
    --bump-revision 1000000000 --mark-compacted
  sync
  printf '%s' "$job" > "$side/whole"
fi
`;

/**
 * Makes a new database of a snapshot beside the old one, which runs on: what is damaged or too large shows before anything
 * was stopped. Arguments: the job, the snapshot, the folder beside the data, the member's name, its peer URL, all members,
 * a token of this restore.
 */
export const BUILD_ETCD: Script = {
  name: "drover-restore-etcd",
  text: `set -eu
job=$1; snapshot=$2; side=$3; name=$4; peer=$5; members=$6; token=$7
${BUILD}`,
};

/**
 * Puts the new database in the place of the old one, which is kept beside it; it is made first where it was not. Arguments:
 * the job, the snapshot, the data directory, the member's name, its peer URL, all members, a token of this restore.
 */
export const RESTORE_ETCD: Script = {
  name: "drover-restore-etcd",
  text: `set -eu
job=$1; snapshot=$2; data=$3; name=$4; peer=$5; members=$6; token=$7
side="$data/drover-restore"
${BUILD}if [ -e "$side/new/member" ]; then
  if [ -e "$data/member" ]; then
    # What was there before the first attempt is what has to be kept.
    if [ -e "$side/old" ]; then rm -rf "$data/member"; else mv "$data/member" "$side/old"; fi
  fi
  mv "$side/new/member" "$data/member"
  sync
fi
`,
};
