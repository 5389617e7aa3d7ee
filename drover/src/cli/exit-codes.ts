/** What the program ends with. docs/cli.md and `drover --help` list them. */
export const EXIT = {
  ok: 0,
  error: 1,
  /** The command line or the options were not understood; nothing was done. */
  usage: 2,
  /** Something is not as it was declared or written: drift, differences, a broken audit log. */
  drift: 3,
  jobFailed: 4,
  jobCanceled: 5,
} as const;

export const EXIT_CODES_HELP = `Exit codes:
  0  done
  1  it went wrong; the message says what to do
  2  the command line or an option was not understood, nothing was done
  3  something differs from what was declared (check, diff, audit verify, store check)
  4  the job that was waited for failed
  5  the job that was waited for was cancelled`;
