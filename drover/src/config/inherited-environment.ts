/** The variables that the program was started with, for whoever chooses which of them its children may see. */
export function inheritedEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
