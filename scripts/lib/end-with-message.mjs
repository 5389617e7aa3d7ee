/**
 * Ends the process with the message alone: what these scripts throw is meant to be read by people.
 *
 * @param {unknown} error
 * @returns {never}
 */
export function endWithMessage(error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
