import type { Script } from "../../scripts/script.ts";

/**
 * Starts a unit anew, and has it start with the machine. Argument: its name. A server is up when this ends; where it does
 * not come up, its own last words are told.
 */
export const START_K3S: Script = {
  name: "drover-start-k3s",
  text: `set -u
unit=$1
since=$(date '+%Y-%m-%d %H:%M:%S')
systemctl daemon-reload
systemctl -q enable "$unit"
systemctl restart "$unit" && exit 0
journalctl -u "$unit" --since "$since" --no-pager -o cat 2>/dev/null | grep -E 'level=(fatal|error)|^Error' | tail -n 3 >&2
exit 1
`,
};

/** What a unit has complained about of late. Argument: its name. */
export const TELL_COMPLAINTS: Script = {
  name: "drover-tell-k3s-complaints",
  text: `set -u
journalctl -u "$1" -n 200 --no-pager -o cat 2>/dev/null | grep -E 'level=(fatal|error)|^Error' | tail -n 3
true
`,
};

/**
 * Puts a program in the place of the one that runs, which goes on with its own copy. Arguments: where it was brought to,
 * where it belongs, then names for links to it, which are made where no other program has them.
 */
export const PLACE_K3S: Script = {
  name: "drover-place-k3s",
  text: `set -eu
from=$1; to=$2; shift 2
if [ -e "$from" ] && [ "$from" != "$to" ]; then
  cp -- "$from" "$to.drover"
  chmod 755 "$to.drover"
  sync "$to.drover" 2>/dev/null || sync
  mv -T -- "$to.drover" "$to"
  rm -f -- "$from"
fi
for name; do
  command -v "$name" >/dev/null || ln -s "$(basename "$to")" "$(dirname "$to")/$name"
done
`,
};
