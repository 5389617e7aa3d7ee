import { quoteArgument } from "../../lib/quote-command.ts";

/**
 * Ends sessions as `connectors/local` does: all are asked, and after the grace made to. Then says which processes are
 * there in spite of all. Those that have ended and were only not counted by their parent are not.
 *
 * A process may end between being opened and being read. That ends sed, and whoever comes later would not be seen; cat
 * goes on to the next.
 *
 * It goes on to the end when nobody is left to hear it. The grace is measured by the host's clock: on a busy host one
 * look at its processes may take longer than the grace.
 */
const END_SESSIONS = `
trap '' PIPE
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
read_clock() {
  read -r uptime rest </proc/uptime
  clock=\${uptime%.*}\${uptime#*.}
  while [ "\${clock#0?}" != "$clock" ]; do clock=\${clock#0}; done
}
wait_until_gone() {
  read_clock
  until=$((clock + $1))
  while [ -n "$(list_members)" ]; do
    read_clock
    [ "$clock" -ge "$until" ] && return 1
    echo . 2>/dev/null
    sleep 0.05
  done
}
tell_all TERM CONT
wait_until_gone "$grace" || for round in 1 2 3 4 5 6 7 8 9 10; do
  tell_all KILL
  wait_until_gone 50 && break
done
list_members | while read -r pid group; do echo "$pid"; done
exit 0
`;

/** `/proc/uptime` counts hundredths of a second. */
const TICK_MS = 10;

/**
 * A script that answers with the numbers of the processes that it could not end, one per line. A line with a dot says
 * that it is still at work, however slow the host is. Whoever runs it must not be in one of the sessions. `processes`
 * is where the host shows them.
 */
export function makeEndScript(sessions: readonly (number | "$1")[], graceMs: number, processes = "/proc"): string {
  const numbers = sessions.filter((session) => session === "$1" || (Number.isSafeInteger(session) && session > 1));
  const ticks = Math.ceil(graceMs / TICK_MS);
  return `sessions="${numbers.join(" ")}"\ngrace=${ticks}\nprocesses=${quoteArgument(processes)}\n${END_SESSIONS}`;
}

/** The processes that the answer of the script names. */
export const readSurvivors = (answer: string): readonly number[] =>
  answer
    .split("\n")
    .filter((line) => line !== "" && line !== ".")
    .map(Number);
