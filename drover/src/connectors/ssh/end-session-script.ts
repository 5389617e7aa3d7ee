import { quoteArgument } from "../../lib/quote-command.ts";

/**
 * Ends sessions as `connectors/local` does: all are asked, and after the grace made to. Then says which processes are
 * there in spite of all. Those that have ended and were only not counted by their parent are not.
 *
 * A process may end between being opened and being read. That ends sed, and whoever comes later would not be seen; cat
 * goes on to the next.
 */
const END_SESSIONS = `
list_members() {
  for session in $sessions; do
    cat "$processes"/[0-9]*/stat 2>/dev/null |
      sed -n "s/^\\([0-9]*\\) (.*) [^ZX] [0-9]* \\([0-9]*\\) $session .*/\\1 \\2/p"
  done
}
tell_all() {
  for session in $sessions; do for signal in "$@"; do kill "-$signal" "-$session" 2>/dev/null; done; done
  list_members | while read -r pid group; do
    case " $sessions " in *" $group "*) ;; *) for signal in "$@"; do kill "-$signal" "-$group" 2>/dev/null; done ;; esac
  done
}
wait_until_gone() {
  while [ "$1" -gt 0 ]; do
    [ -z "$(list_members)" ] && return 0
    sleep 0.05
    set -- $(($1 - 1))
  done
  [ -z "$(list_members)" ]
}
tell_all TERM CONT
wait_until_gone "$turns" || for round in 1 2 3 4 5 6 7 8 9 10; do
  tell_all KILL
  wait_until_gone 4 && break
done
list_members | while read -r pid group; do echo "$pid"; done
exit 0
`;

const TURN_MS = 50;

/**
 * A script that answers with the numbers of the processes that it could not end, one per line. Whoever runs it must not
 * be in one of the sessions. `processes` is where the host shows them.
 */
export function makeEndScript(sessions: readonly (number | "$1")[], graceMs: number, processes = "/proc"): string {
  const numbers = sessions.filter((session) => session === "$1" || (Number.isSafeInteger(session) && session > 1));
  const turns = Math.ceil(graceMs / TURN_MS);
  return `sessions="${numbers.join(" ")}"\nturns=${turns}\nprocesses=${quoteArgument(processes)}\n${END_SESSIONS}`;
}

/** How long the script may take, not counting the way there and back. */
export const longestEndMs = (graceMs: number): number => graceMs + 10 * 4 * TURN_MS;
