import type { Script } from "./script.ts";

/**
 * The SHA-256 of files, as sha256sum prints them; those that are not there are left out. Arguments: the folder of the
 * notes, then paths. Large files whose size and time are as noted are not read again.
 */
export const LIST_SUMS: Script = {
  name: "drover-list-sums",
  text: `set -u
notes=$1/brought.tsv; shift
tab=$(printf '\\t')
for path; do
  [ -f "$path" ] || continue
  now=$(stat -c '%s %Y %i' -- "$path")
  sum=
  if [ -e "$notes" ]; then
    sum=$(awk -F '\\t' -v path="$path" -v now="$now" '$2 == path && $3 == now { sum = $1 } END { print sum }' "$notes")
  fi
  if [ -n "$sum" ]; then printf '%s  %s\\n' "$sum" "$path"; else sha256sum -- "$path"; fi
done
`,
};

/** Notes files that were just brought. Arguments: the folder of the notes, then pairs of SHA-256 and path. */
export const NOTE_SUMS: Script = {
  name: "drover-note-sums",
  text: `set -eu
notes=$1/brought.tsv; shift
while [ $# -gt 1 ]; do
  printf '%s\\t%s\\t%s\\n' "$1" "$2" "$(stat -c '%s %Y %i' -- "$2")" >> "$notes"
  shift 2
done
`,
};
