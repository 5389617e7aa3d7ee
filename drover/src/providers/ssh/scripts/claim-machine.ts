import type { Script } from "./script.ts";

/**
 * Writes the mark, unless one is there. Arguments: the folder of the mark, its path, its text. Of two who claim at the same
 * moment one gets it; the other finds out by reading.
 */
export const CLAIM_MACHINE: Script = {
  name: "drover-claim-machine",
  text: `set -eu
umask 022
mkdir -p "$1"
temporary=$(mktemp "$2.XXXXXX")
trap 'rm -f "$temporary"' EXIT
printf '%s' "$3" > "$temporary"
chmod 644 "$temporary"
sync "$temporary" 2>/dev/null || sync
ln -T "$temporary" "$2" 2>/dev/null || true
`,
};

/** Everything of ours on a machine that is its own again; the mark is the last to go. Arguments: state folder, mark folder. */
export const FORGET_MACHINE: Script = {
  name: "drover-forget-machine",
  text: `set -eu
rm -f -- "$1/as-found.tsv"
rm -rf -- "$1"
rm -rf -- "$2"
`,
};
