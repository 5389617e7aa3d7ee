import type { Script } from "../../scripts/script.ts";

/**
 * Empties the folder of a database. What was there before the first attempt is kept in it; snapshots that k3s took by
 * itself stay where they are. Arguments: the folder, where to keep it.
 */
export const EMPTY_DATABASE: Script = {
  name: "drover-empty-k3s-database",
  text: `set -eu
database=$1; old=$2
if systemctl -q is-active k3s; then
  echo "k3s was started by somebody else; stop it first." >&2
  exit 1
fi
mkdir -p -m 700 "$database"
rest() { find "$database" -mindepth 1 -maxdepth 1 ! -name snapshots ! -path "$old" ! -path "$old.part" "$@"; }
if [ -e "$old" ]; then
  rest -exec rm -rf --one-file-system -- {} +
else
  mkdir -p -m 700 "$old.part"
  rest -exec mv -t "$old.part" -- {} +
  sync
  mv -T -- "$old.part" "$old"
fi
sync
`,
};

/**
 * Makes a database of one member out of a snapshot, in an empty folder. Arguments: the program, the snapshot, the
 * configuration of the server, where to put a copy without how it once joined, the file with the token.
 */
export const RESET_K3S: Script = {
  name: "drover-reset-k3s",
  text: `set -eu
program=$1; snapshot=$2; config=$3; copy=$4; secrets=$5
cp -- "$config" "$copy"
set -a
. "$secrets"
set +a
"$program" server --config "$copy" --cluster-reset --cluster-reset-restore-path="$snapshot" >"$copy.log" 2>&1 || {
  grep -E 'level=(fatal|error)|^Error' "$copy.log" | tail -n 3 >&2
  exit 1
}
sync
`,
};
