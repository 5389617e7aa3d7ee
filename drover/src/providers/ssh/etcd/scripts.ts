import type { Script } from "../scripts/script.ts";

/**
 * Makes the certificates of a member, and the authority where the database begins: all of them or none. Arguments: the
 * folder of the database, kubeadm, its configuration, which names `new` in that folder, and `begin`, or nothing.
 */
export const MAKE_CERTIFICATES: Script = {
  name: "drover-make-etcd-certificates",
  text: `set -eu
folder=$1; kubeadm=$2; config=$3; begin=$4
umask 077
# Cut off between the two moves below, the old ones are the only ones.
if [ ! -s "$folder/pki/ca.key" ] && [ -s "$folder/pki.old/ca.key" ]; then
  rm -rf -- "$folder/pki"
  mv -T -- "$folder/pki.old" "$folder/pki"
fi
rm -rf -- "$folder/new" "$folder/pki.old"
mkdir -p "$folder/new/etcd"
if [ -s "$folder/pki/ca.key" ]; then
  cp -p -- "$folder/pki/ca.crt" "$folder/pki/ca.key" "$folder/new/etcd/"
elif [ "$begin" != begin ]; then
  echo "The authority of the database is not in $folder/pki any more." >&2
  exit 1
fi
for part in etcd-ca etcd-server etcd-peer; do "$kubeadm" init phase certs "$part" --config "$config"; done
sync "$folder/new/etcd" 2>/dev/null || sync
if [ -d "$folder/pki" ]; then mv -T -- "$folder/pki" "$folder/pki.old"; fi
mv -T -- "$folder/new/etcd" "$folder/pki"
rm -rf -- "$folder/new" "$folder/pki.old"
`,
};

/**
 * Makes a certificate for an API server, in a folder of its own. Arguments: the folder of the database, kubeadm, its
 * configuration, the folder, which the configuration names.
 */
export const MAKE_ACCESS: Script = {
  name: "drover-make-etcd-access",
  text: `set -eu
folder=$1; kubeadm=$2; config=$3; made=$4
umask 077
rm -rf -- "$made"
mkdir -p "$made/etcd"
cp -p -- "$folder/pki/ca.crt" "$folder/pki/ca.key" "$made/etcd/"
"$kubeadm" init phase certs apiserver-etcd-client --config "$config"
rm -f -- "$made/etcd/ca.key"
`,
};

/**
 * Has etcd run with what its files say now, and notes with what it was started. Arguments: the stamp of its settings, where
 * that is kept, the unit, the program.
 */
export const START_DATABASE: Script = {
  name: "drover-start-etcd",
  text: `set -eu
kept=$2; unit=$3
wanted="$1 $(sha256sum "$4" | cut -d ' ' -f 1)"
systemctl daemon-reload
systemctl -q enable "$unit"
systemctl reset-failed "$unit" 2>/dev/null || true
verb=restart
if [ "$(cat "$kept" 2>/dev/null)" = "$wanted" ]; then verb=start; fi
systemctl $verb "$unit"
printf %s "$wanted" > "$kept"
`,
};

/** Ends etcd on a machine that goes on without it. Arguments: unit, its file, the data, then what else was kept for it. */
export const END_DATABASE: Script = {
  name: "drover-end-etcd",
  text: `set -eu
unit=$1; file=$2; data=$3; shift 3
systemctl disable -q --now "$unit" 2>/dev/null || true
rm -f -- "$file"
systemctl daemon-reload
systemctl reset-failed "$unit" 2>/dev/null || true
rm -rf --one-file-system -- "$data/member"
rm -rf -- "$@"
`,
};

/**
 * Has the API server of a control plane ask these members. Arguments: its manifest, a place beside it for the new one, the
 * list of members, then a command that succeeds once the API server is ready.
 */
export const POINT_API_SERVER: Script = {
  name: "drover-point-api-server",
  text: `set -eu
manifest=$1; aside=$2; servers=$3; shift 3
awk -v servers="$servers" '
  /^ *- --etcd-servers=/ { sub(/--etcd-servers=.*/, ""); print $0 "--etcd-servers=" servers; next }
  { print }
' "$manifest" > "$aside"
grep -q -e "--etcd-servers=" "$aside"
chmod 600 "$aside"
if cmp -s "$aside" "$manifest"; then rm -f "$aside"; else mv "$aside" "$manifest"; fi
round=0
while [ $round -lt 180 ]; do
  round=$((round + 1))
  for name in $(grep -l -x kube-apiserver /proc/[0-9]*/comm 2>/dev/null); do
    tr '\\0' '\\n' < "\${name%comm}cmdline" 2>/dev/null | grep -q -F -x -e "--etcd-servers=$servers" || continue
    if "$@" >/dev/null 2>&1; then exit 0; fi
  done
  sleep 1
done
echo "The API server does not come back with its new list of members; see its log in /var/log/pods." >&2
exit 1
`,
};
