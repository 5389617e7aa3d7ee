import type { Script } from "./script.ts";

/**
 * Says where the programs of the endpoint are and which card has the address of the node, one answer a line: `haproxy PATH`,
 * `keepalived PATH`, `card NAME`. Arguments: the address of the node, and the card that the spec names, or nothing.
 */
export const FIND_ENDPOINT: Script = {
  name: "drover-find-endpoint",
  text: `set -u
address=$1; card=$2
for program in haproxy keepalived; do
  path=$(command -v "$program" 2>/dev/null || ls "/usr/sbin/$program" 2>/dev/null) && echo "$program $path"
done
if [ -z "$card" ]; then
  card=$(ip -o addr show | awk -v address="$address" '{ split($4, parts, "/"); if (parts[1] == address) { print $2; exit } }')
fi
if [ -z "$card" ]; then card=$(ip -o route show default | awk '{ for (i = 1; i < NF; i++) if ($i == "dev") { print $(i + 1); exit } }'); fi
[ -n "$card" ] && echo "card $card"
true
`,
};

/** Unpacks packages into a tree of their own, all of them or none. Arguments: the tree, a stamp, then packages. */
export const UNPACK_ENDPOINT: Script = {
  name: "drover-unpack-endpoint",
  text: `set -eu
tree=$1; stamp=$2; shift 2
command -v dpkg-deb >/dev/null || { echo "There is no dpkg-deb to unpack the packages with: install haproxy and keepalived there." >&2; exit 1; }
mkdir -p "$(dirname "$tree")"
rm -rf -- "$tree.new"
mkdir "$tree.new"
for package; do dpkg-deb -x "$package" "$tree.new"; done
printf %s "$stamp" > "$tree.new/stamp"
rm -rf -- "$tree"
mv -T -- "$tree.new" "$tree"
rm -f -- "$@"
`,
};

/** Has the programs run with what their files say now. Arguments: the stamp of the files, where it is kept, then units. */
export const START_ENDPOINT: Script = {
  name: "drover-start-endpoint",
  text: `set -eu
wanted=$1; kept=$2; shift 2
systemctl daemon-reload
systemctl -q enable "$@"
verb=restart
if [ "$(cat "$kept" 2>/dev/null)" = "$wanted" ]; then verb=start; fi
systemctl reset-failed "$@" 2>/dev/null || true
# Why one does not start is told below, in its own words.
systemctl $verb "$@" 2>/dev/null || true
for round in 1 2 3 4 5 6 7 8 9 10; do
  sleep 0.3
  systemctl -q is-active "$1" && systemctl -q is-active "$2" || continue
  printf %s "$wanted" > "$kept"
  exit 0
done
for unit; do
  systemctl -q is-active "$unit" || { echo "$unit does not run:"; journalctl -q --no-pager -n 5 -o cat -u "$unit"; }
done >&2
exit 1
`,
};
