import type { Script } from "./script.ts";

/**
 * Imports an archive into containerd, and notes which names came with it. Arguments: the folder of the notes, the SHA-256
 * of the archive, its path. The archive goes afterwards.
 */
export const IMPORT_IMAGES: Script = {
  name: "drover-import-images",
  text: `set -eu
base=$1; sum=$2; archive=$3
said=$(ctr -n k8s.io images import --digests=false "$archive" 2>&1) || {
  printf '%s\\n' "$said" >&2
  case $said in
    *"no space left on device"*)
      echo "There is no room left on $(uname -n) where containerd keeps its images. Free some there (df -h shows where, crictl rmi --prune removes images that nothing uses), then try again." >&2 ;;
  esac
  exit 1
}
printf '%s\\n' "$said" | sed -n 's/^unpacking \\([^ ]*\\) .*/\\1/p' |
  while read -r name; do printf '%s\\t%s\\n' "$sum" "$name"; done >> "$base/images.tsv"
rm -f -- "$archive"
`,
};

/** Says which archives are there with all their images. Argument: the folder of the notes. */
export const LIST_IMPORTED: Script = {
  name: "drover-list-imported",
  text: `set -u
base=$1
[ -e "$base/images.tsv" ] || exit 0
ctr -n k8s.io images ls -q | awk -F '\\t' '
  NR == FNR { there[$1] = 1; next }
  { seen[$1] = 1; if (!($2 in there)) lacks[$1] = 1 }
  END { for (sum in seen) if (!(sum in lacks)) print sum }
' - "$base/images.tsv"
`,
};
