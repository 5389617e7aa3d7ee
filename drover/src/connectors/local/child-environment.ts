/** Where programs are looked for unless an option says otherwise: the folders that only an administrator can write to. */
export const DEFAULT_SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** What children may know of Drover's own environment: who they run as, where, and what time it is. */
export const INHERITED_NAMES: readonly string[] = ["HOME", "USER", "LOGNAME", "TZ", "TMPDIR", "XDG_RUNTIME_DIR"];

export interface ChildEnvironmentOptions {
  /** The environment of the program itself. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly searchPath?: string | undefined;
  /** Names to pass on beside the fixed few: proxies, the address of a container engine. */
  readonly allow?: readonly string[];
}

/**
 * The variables that every child gets. All others of the parent stay behind, so that whoever sets one for Drover
 * (a search path, a library to load first, an agent's socket) does not thereby reach into the programs it starts.
 */
export function makeChildEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...INHERITED_NAMES, ...(options.allow ?? [])]) {
    const value = Object.hasOwn(options.inherited, name) ? options.inherited[name] : undefined;
    if (value !== undefined) environment[name] = value;
  }
  environment.PATH = options.searchPath ?? DEFAULT_SEARCH_PATH;
  environment.LANG = "C.UTF-8";
  return environment;
}

/** Both together, without anything that a prototype would add. Throws on a name that no variable can have. */
export function joinEnvironments(
  base: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = Object.create(null);
  for (const [name, value] of [...Object.entries(base), ...Object.entries(added)]) {
    if (!/^[^=\0]+$/.test(name)) throw new TypeError(`${JSON.stringify(name)} cannot be the name of a variable.`);
    environment[name] = value;
  }
  return environment;
}
