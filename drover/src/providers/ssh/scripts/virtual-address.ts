import type { Script } from "./script.ts";

/**
 * Takes an address off all cards: who carried it has been ended, and could not do it. Argument: the file that names it.
 */
export const DROP_VIRTUAL_ADDRESS: Script = {
  name: "drover-drop-virtual-address",
  text: `set -u
[ -s "$1" ] || exit 0
address=$(cat "$1")
ip -o address show | awk -v address="$address" '{ split($4, parts, "/"); if (parts[1] == address) print $2, $4 }' |
while read -r card whole; do ip address delete "$whole" dev "$card"; done
rm -f -- "$1"
`,
};
