import { quoteArgument } from "../../lib/quote-command.ts";

export interface StarterScriptOptions {
  /** Tells the words of the starter from everything else that is written. */
  readonly nonce: string;
  readonly searchPath: string;
  readonly sudo: { readonly prompt: string | null } | null;
}

/**
 * What a starter does. Among its arguments `$1` is this text itself, `$2` the nonce, `$3` is set when it was
 * started anew as the leader of a session. By that session all that it starts can be found and ended.
 *
 * It says the nonce and its process number, then reads a script (a line with the number of lines, then the lines) and
 * obeys it. A script that ends with `exec` turns it into a command, which inherits the rest of its input: `read` takes
 * no byte more than the line. After any other script it waits for the next.
 */
const STARTER = `
read -r stat <"/proc/$$/stat"
rest=\${stat##*) }
rest=\${rest#* }
rest=\${rest#* }
rest=\${rest#* }
[ "\${rest%% *}" = "$$" ] || [ -n "$3" ] || exec setsid -w sh -c "$1" drover "$1" "$2" leader
cd / || exit
unset stat rest OLDPWD
echo "$2 $$"
while IFS= read -r lines; do
  script=
  while [ "$lines" -gt 0 ]; do
    IFS= read -r line || exit 0
    script="$script$line
"
    lines=$((lines - 1))
  done
  unset line lines
  eval "$script"
done
`;

/** The text to give to the login shell of the host, whichever that is. */
export function makeStarterCommand({ nonce, searchPath, sudo }: StarterScriptOptions): string {
  // Whoever we log in as is not whoever sudo makes of it: sudo sets these three anew.
  const identity = `HOME="$HOME" USER="$USER" LOGNAME="$USER"`;
  const variables = [`PATH=${searchPath}`, "LANG=C.UTF-8"].map(quoteArgument).join(" ");
  const shell = ["sh", "-c", 'eval "$1"', "drover", STARTER, nonce].map(quoteArgument).join(" ");
  if (sudo === null) return `exec env -i ${variables} ${identity} ${shell}`;
  const inner = quoteArgument(`exec env -i ${variables} ${identity} ${shell}`);
  const ask = sudo.prompt === null ? "-n" : `-S -p ${quoteArgument(sudo.prompt)}`;
  return `exec env PATH=${quoteArgument(searchPath)} LC_ALL=C sudo ${ask} -H -- sh -c ${inner}`;
}

/** A script as the starter reads it. */
export function packScript(script: string): string {
  if (script.includes("\0")) throw new TypeError("A command cannot hold a NUL character.");
  const text = script.endsWith("\n") ? script : `${script}\n`;
  return `${text.split("\n").length - 1}\n${text}`;
}
