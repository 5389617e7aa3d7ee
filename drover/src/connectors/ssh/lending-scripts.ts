/**
 * Holds the folder of what is lent, `$1`, and removes it when it is told to end, which the end of the connection does
 * too. What a machine that went down has left of earlier ones is removed first; a lock shows which are in use.
 */
export const KEEP_FOLDER = `
folder=$1
umask 077
for old in "$(dirname "$folder")"/lent-*; do
  [ -d "$old" ] && flock -n "$old" rm -rf -- "$old"
done
trap 'rm -rf -- "$folder"; exit 0' TERM HUP INT
mkdir -- "$folder" || exit
exec 9<"$folder"
flock -n 9 || exit
echo ready
sleep 2147483647 9<&- &
wait
`;

/**
 * Gives the file `$2` a further name in the folder `$1`, its checksum `$3`. An archive goes from its first name once it
 * is of no more use to the machine itself, but keeps its room until the folder goes: a machine with little left does not
 * lend. From another file system it is only pointed at.
 */
export const LEND_FILE = `
folder=$1 path=$2 sum=$3
size=$(stat -c %s -- "$path") || exit
free=$(($(stat -f -c '%a * %S' -- "$folder"))) || exit
[ "$free" -gt $((10 * size)) ] || { echo "There is little room." >&2; exit 1; }
ln -f -- "$path" "$folder/$sum" 2>/dev/null || ln -sf -- "$path" "$folder/$sum"
`;

/**
 * An sshd beside that of the machine, for the folder `$1` alone, at the address `$2` and the first free one of the ports
 * behind. Says where it listens and who may come. It needs PAM where the machine's own does: without it sshd lets nobody
 * in who has no password.
 */
export const OPEN_SERVER = `
folder=$1 address=$2; shift 2
program=$(command -v sshd) || { echo "There is no sshd." >&2; exit 1; }
[ "$("$program" -T 2>/dev/null | sed -n 's/^usepam //p')" = yes ] && pam=yes || pam=no
user=$(id -un)
for port; do
  "$program" -D -e -f "$folder/config" -p "$port" -o "ListenAddress=$address" -o "AllowUsers=$user" -o "UsePAM=$pam" 2>"$folder/said" &
  server=$!
  turns=0
  while [ "$turns" -lt 100 ] && kill -0 "$server" 2>/dev/null; do
    grep -q '^Server listening' "$folder/said" && { echo "$port $user"; wait "$server"; exit; }
    sleep 0.02
    turns=$((turns + 1))
  done
  kill "$server" 2>/dev/null
done
cat -- "$folder/said" >&2
exit 1
`;

/** What whoever is let in gets to run, whatever else was asked for: it reads one file of the folder. */
export const giveFrom = (folder: string): string => `
set -f
set -- $SSH_ORIGINAL_COMMAND
case $# in 1) ;; *) exit 1 ;; esac
case $1 in *[!0-9a-f]*) exit 1 ;; esac
exec cat -- ${folder}/"$1"
`;

export const giveCommand = (folder: string): string => `/bin/sh ${folder}/give`;

/** Lets nobody in but with the one key, for the one thing. */
export const serverConfig = (folder: string): string =>
  [
    `HostKey ${folder}/host-key`,
    `AuthorizedKeysFile ${folder}/authorized-keys`,
    `ForceCommand ${giveCommand(folder)}`,
    "AuthenticationMethods publickey",
    "PermitRootLogin forced-commands-only",
    ...["PasswordAuthentication no", "KbdInteractiveAuthentication no"],
    ...["DisableForwarding yes", "PermitTTY no", "PermitUserRC no", "PermitUserEnvironment no"],
    ...["ClientAliveInterval 5", "ClientAliveCountMax 3", "LoginGraceTime 10"],
    ...["PidFile none", "StrictModes no", "LogLevel INFO", ""],
  ].join("\n");

/**
 * Fetches a file with the key and the host key that come as input, into the part that `sendFile` would write. Whatever
 * goes wrong, no part and no key are left behind. What a broken transfer from elsewhere has left is not touched: going on
 * with that is quicker. Says from time to time how much there is.
 */
export const BORROW = `
umask 077
secrets=$(mktemp -d -p /run drover-XXXXXXXX 2>/dev/null || mktemp -d) || exit
leave() { rm -rf -- "$secrets"; [ -z "$watch" ] || kill "$watch" 2>/dev/null; }
watch=
trap leave EXIT
trap 'exit 1' TERM HUP INT
IFS= read -r known
printf '%s\\n' "$known" >"$secrets/known"
cat >"$secrets/key"
command -v ssh >/dev/null || { echo "There is no ssh." >&2; exit 1; }
[ ! -s "$temporary" ] || { echo "A part of it is there already." >&2; exit 1; }
exec 9>>"$temporary" || exit
flock -n 9 && [ "$temporary" -ef /proc/self/fd/9 ] || { echo "Another transfer of the same file is under way." >&2; exit 1; }
trap 'rm -f -- "$temporary"; exit 1' TERM HUP INT
(while sleep 0.5; do stat -c %s -- "$temporary" 2>/dev/null; done) 9>&- &
watch=$!
ssh -F none -i "$secrets/key" -p "$port" -o UserKnownHostsFile="$secrets/known" -o GlobalKnownHostsFile=none \\
  -o HostKeyAlias=lender -o StrictHostKeyChecking=yes -o IdentitiesOnly=yes -o IdentityAgent=none -o BatchMode=yes \\
  -o ConnectTimeout=3 -o ServerAliveInterval=3 -o ServerAliveCountMax=2 -o Compression=no \\
  -o Ciphers=aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes128-ctr \\
  -l "$user" -- "$address" "$wanted" </dev/null >&9 2>"$secrets/said" || give_up "$(cat "$secrets/said")"
`;
