import type { Script } from "./script.ts";

/**
 * Writes down how things are before they are changed, once for each: what was noted before is left as it is. Arguments:
 * the folder of the list, then paths, `unit:NAME`, `sysctl:NAME` and `module:NAME`. Files are copied; of folders the names
 * in them are kept. The list is written beside its name and renamed: it has all of these, or none.
 */
export const NOTE_AS_FOUND: Script = {
  name: "drover-note-as-found",
  text: `set -eu
base=$1; shift
list=$base/as-found.tsv
umask 077
mkdir -p "$base/before"
if [ -e "$list" ]; then cp "$list" "$list.new"; else : > "$list.new"; fi
# What lies in a folder that was not there came with us.
is_noted() {
  awk -F '\\t' -v thing="$1" '
    $2 == thing || ($1 == "nothing" && index(thing, $2 "/") == 1) { found = 1 }
    END { exit !found }
  ' "$list.new"
}
write() { printf '%s\\t%s\\t%s\\n' "$1" "$2" "$3" >> "$list.new"; }
for thing; do
  case $thing in
    unit:*)
      is_noted "$thing" && continue
      name=\${thing#unit:}
      write unit "$thing" "$(systemctl is-enabled "$name" 2>/dev/null || true),$(systemctl is-active "$name" 2>/dev/null || true)" ;;
    sysctl:*)
      is_noted "$thing" && continue
      if value=$(sysctl -n "\${thing#sysctl:}" 2>/dev/null); then write sysctl "$thing" "$value"; else write kept "$thing" -; fi ;;
    module:*)
      is_noted "$thing" && continue
      if [ -d "/sys/module/\${thing#module:}" ]; then write kept "$thing" -; else write module "$thing" -; fi ;;
    *)
      # What was not there goes with the topmost folder that was not there.
      if [ ! -e "$thing" ] && [ ! -L "$thing" ]; then
        while [ ! -e "$(dirname "$thing")" ]; do thing=$(dirname "$thing"); done
      fi
      is_noted "$thing" && continue
      copy=$base/before/$(printf %s "$thing" | sha256sum | cut -c 1-24)
      if [ -L "$thing" ] || [ -f "$thing" ]; then
        cp -a -- "$thing" "$copy"
        write file "$thing" "$copy"
      elif [ -d "$thing" ]; then
        ( cd "$thing" && find . -mindepth 1 -print0 | LC_ALL=C sort -z ) > "$copy"
        write folder "$thing" "$copy"
      else
        write nothing "$thing" -
      fi ;;
  esac
done
sync "$base/before" "$list.new" 2>/dev/null || sync
mv "$list.new" "$list"
sync "$base" 2>/dev/null || sync
`,
};

/**
 * Puts everything back as it was noted, the last first. Argument: the folder of the list. It may be run again after it was
 * cut off anywhere; the list stays.
 */
export const RESTORE_AS_FOUND: Script = {
  name: "drover-restore-as-found",
  text: `set -u
base=$1
list=$base/as-found.tsv
[ -e "$list" ] || exit 0
failed=0
complain() { echo "$1" >&2; failed=1; }
# What lies on other file systems below a path is unmounted, and never removed with it.
unmount_below() {
  awk -v path="$1/" 'index($2, path) == 1 { print $2 }' /proc/self/mounts | LC_ALL=C sort -r |
    while read -r place; do umount "$place" 2>/dev/null || umount -l "$place"; done
}
tab=$(printf '\\t')
tac "$list" > "$list.reverse"
while IFS=$tab read -r kind thing was; do
  case $kind in
    nothing)
      unmount_below "$thing"
      rm -rf --one-file-system -- "$thing" || complain "$thing could not be removed." ;;
    file)
      [ -e "$was" ] || [ -L "$was" ] || continue
      rm -rf -- "$thing.drover" && cp -a -- "$was" "$thing.drover" && mv -T -- "$thing.drover" "$thing" ||
        complain "$thing could not be put back." ;;
    folder)
      [ -e "$was" ] && [ -d "$thing" ] || continue
      unmount_below "$thing"
      ( cd "$thing" && find . -mindepth 1 -print0 | LC_ALL=C sort -z | LC_ALL=C comm -z -23 - "$was" |
          xargs -0 -r rm -rf --one-file-system -- ) || complain "$thing could not be emptied of what was added." ;;
    sysctl)
      sysctl -q -w "\${thing#sysctl:}=$was" || complain "$thing could not be set back to $was." ;;
    module)
      modprobe -r "\${thing#module:}" 2>/dev/null || true ;;
    unit)
      name=\${thing#unit:}
      systemctl daemon-reload
      case $was in
        enabled,*) systemctl -q enable "$name" || complain "$name could not be enabled." ;;
        disabled,*) systemctl -q disable "$name" || complain "$name could not be disabled." ;;
      esac
      case $was in
        *,active) systemctl restart "$name" || complain "$name could not be started." ;;
        ,*|not-found,*) systemctl stop "$name" 2>/dev/null; systemctl reset-failed "$name" 2>/dev/null ;;
        *) systemctl stop "$name" || complain "$name could not be stopped." ;;
      esac ;;
  esac
done < "$list.reverse"
systemctl daemon-reload
exit $failed
`,
};
