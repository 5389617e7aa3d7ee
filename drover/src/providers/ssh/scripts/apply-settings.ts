import type { Script } from "./script.ts";

/**
 * Has kernel, containerd and kubelet run with what lies there, and notes for both with what they were started. Arguments:
 * the file of kernel settings; for containerd and for the kubelet each where that is noted and what it should be; `member`
 * for a node that runs, or nothing; then modules. A machine that is no node yet has nothing to lose, and is not waited for.
 */
export const APPLY_SETTINGS: Script = {
  name: "drover-apply-settings",
  text: `set -eu
file=$1; started_with=$2; wanted=$3; kubelet_with=$4; kubelet_wanted=$5; member=$6; shift 6
for module; do
  [ -d "/sys/module/$module" ] || modprobe "$module" 2>/dev/null || echo "The module $module cannot be loaded; going on, as it may be built in."
done
# One that ends right after its start is started again for ever, and is active in between.
assert_stays() {
  [ "$member" = member ] || return 0
  first=$(systemctl show -p MainPID --value "$1")
  for second in 1 2 3 4 5; do
    sleep 1
    if systemctl -q is-active "$1" && [ "$(systemctl show -p MainPID --value "$1")" = "$first" ]; then continue; fi
    echo "$1 does not stay up with these settings; take them back, or mend them. It says:" >&2
    journalctl -q --no-pager -n 5 -o cat -u "$1" >&2 || true
    exit 1
  done
}
sysctl -q -p "$file"
systemctl daemon-reload
systemctl -q enable containerd kubelet
if [ "$(cat "$started_with" 2>/dev/null)" != "$wanted" ] || ! systemctl -q is-active containerd; then
  # While nobody knows what it runs with, settings that are taken back are a change as well.
  rm -f "$started_with"
  systemctl restart containerd || { journalctl -q --no-pager -n 5 -o cat -u containerd >&2; exit 1; }
  assert_stays containerd
  printf '%s' "$wanted" > "$started_with"
fi
answers=
for round in 1 2 3 4 5 6 7 8 9 10; do
  if ctr version >/dev/null 2>&1; then answers=yes; break; fi
  sleep 0.5
done
if [ -z "$answers" ]; then
  echo "containerd does not answer; see journalctl -u containerd." >&2
  exit 1
fi
if [ "$(cat "$kubelet_with" 2>/dev/null)" != "$kubelet_wanted" ]; then
  rm -f "$kubelet_with"
  # Before it is a node, it starts with what there is; one that somebody has stopped stays so.
  case "$member,$(systemctl is-active kubelet || true)" in
    member,inactive) ;;
    member,*|*,active) systemctl restart kubelet; assert_stays kubelet ;;
  esac
  printf '%s' "$kubelet_wanted" > "$kubelet_with"
fi
`,
};

/**
 * Takes files away that are declared no more, or puts back what was found in their place. Arguments: the folder of the
 * list of what was found, then the files.
 */
export const DROP_FILES: Script = {
  name: "drover-drop-files",
  text: `set -eu
list=$1/as-found.tsv; shift
for path; do
  found=$(awk -F '\\t' -v path="$path" '$1 == "file" && $2 == path { print $3; exit }' "$list" 2>/dev/null || true)
  if [ -n "$found" ] && [ -e "$found" ]; then
    cp -a -- "$found" "$path.drover"
    mv -T -- "$path.drover" "$path"
  else
    rm -f -- "$path"
    rmdir -- "$(dirname "$path")" 2>/dev/null || true
  fi
done
`,
};
