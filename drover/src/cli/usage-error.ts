/** The command was understood as far as its words go, but cannot be done as it was asked for. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
