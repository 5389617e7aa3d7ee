import { availableParallelism, homedir, hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { optionalPath, path, storeAddress } from "./option-types.ts";
import { OPTION_NAMES, OPTIONS, type Option, type OptionName, type Options } from "./options.ts";
import { readConfigFile } from "./read-config-file.ts";

/** One thing that is wrong with the options, where it was written, and what to do. */
export interface OptionProblem {
  readonly where: string;
  readonly message: string;
  readonly next: string;
}

export class OptionsError extends Error {
  override readonly name = "OptionsError";
  readonly problems: readonly OptionProblem[];

  constructor(problems: readonly OptionProblem[]) {
    super(problems.map(({ where, message, next }) => `${where} ${message}. ${next}`).join("\n"));
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface OptionSources {
  /** Values of flags by the name of their option. */
  readonly flags?: Readonly<Partial<Record<OptionName, string>>>;
  /** The file that `--config` named. */
  readonly configFile?: string | undefined;
  readonly env?: Environment;
}

interface Found {
  readonly value: unknown;
  readonly where: string;
}

/**
 * Puts the options together: a flag wins over the environment, that over the configuration file, that over the
 * default. Throws an OptionsError with every problem of all sources at once.
 */
export function loadOptions(sources: OptionSources = {}): Options {
  return explainOptions(sources).options;
}

/** The options, and where each was set: a flag, a variable, a place in the file; null for the default. */
export function explainOptions({ flags = {}, configFile, env = process.env }: OptionSources = {}): {
  readonly options: Options;
  readonly sources: ReadonlyMap<OptionName, string | null>;
} {
  const sources = new Map<OptionName, string | null>();
  const problems: OptionProblem[] = [];
  const file = configFile ?? env.DROVER_CONFIG;
  const written = file === undefined ? new Map<OptionName, Found>() : readFileEntries(resolve(file), problems);
  const values: Record<string, unknown> = {};
  for (const name of OPTION_NAMES) {
    const set = findValue(name, flags, env, written);
    const found = set ?? { value: fillDefault(name, values, env), where: name };
    sources.set(name, set?.where ?? null);
    const parsed = OPTIONS[name].type.schema.safeParse(found.value);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(describeProblem(name, found, parsed.error.issues[0]?.message ?? "is not valid"));
    if (flags[name] !== undefined && revealsSecret(OPTIONS[name], flags[name])) problems.push(describeReveal(name));
  }
  if (problems.length > 0) throw new OptionsError(problems);
  const options = values as Options;
  SOURCES.set(options, sources);
  return { options, sources };
}

const SOURCES = new WeakMap<Options, ReadonlyMap<OptionName, string | null>>();

/** Where each of these options was set; null for a default, and for options that were not loaded here. */
export function sourceOf(options: Options, name: OptionName): string | null {
  return SOURCES.get(options)?.get(name) ?? null;
}

function findValue(
  name: OptionName,
  flags: Readonly<Partial<Record<OptionName, string>>>,
  env: Environment,
  written: ReadonlyMap<OptionName, Found>,
): Found | undefined {
  const { flag, env: variable } = OPTIONS[name];
  if (flags[name] !== undefined) return { value: flags[name], where: flag };
  const set = env[variable];
  if (set !== undefined && set !== "") return { value: set, where: variable };
  return written.get(name);
}

function readFileEntries(file: string, problems: OptionProblem[]): Map<OptionName, Found> {
  const found = new Map<OptionName, Found>();
  const content = readConfigFile(file);
  if (!content.ok) {
    problems.push({ where: file, message: content.message, next: "Correct the file, or name another one." });
    return found;
  }
  for (const [key, value] of content.entries) {
    const where = `${file}: ${key}`;
    const name = OPTION_NAMES.find((known) => known === key);
    if (name) found.set(name, { value: fromFile(name, value, dirname(file)), where });
    else problems.push({ where, message: "is no option", next: `Must be one of: ${OPTION_NAMES.join(", ")}.` });
  }
  return found;
}

/** A relative path in a file means a place beside that file, wherever the program was started. */
function fromFile(name: OptionName, value: unknown, folder: string): unknown {
  const { type }: Option<never> | Option = OPTIONS[name];
  if (
    (type !== path && type !== optionalPath && type !== storeAddress) ||
    typeof value !== "string" ||
    /^(~|[a-z][a-z0-9+.-]*:)/i.test(value)
  )
    return value;
  return resolve(folder, value);
}

function fillDefault(name: OptionName, values: { readonly dataDir?: string }, env: Environment): string {
  return OPTIONS[name].default
    .replace("{hostname}", () => hostname())
    .replace("{cores}", () => String(availableParallelism()))
    .replace("{searchPath}", () => env.PATH || DEFAULT_SEARCH_PATH)
    .replace("{dockerHost}", () => env.DOCKER_HOST || "unix:///var/run/docker.sock")
    .replace("{data}", () => env.XDG_DATA_HOME || join(homedir(), ".local/share"))
    .replace("{dataDir}", () => values.dataDir ?? "");
}

/** The folders that only an administrator can write to. */
const DEFAULT_SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

function describeProblem(name: OptionName, { value, where }: Found, message: string): OptionProblem {
  const option: Option<never> | Option = OPTIONS[name];
  const shown = option.secret ? "" : `, and is ${JSON.stringify(value)}`;
  return { where, message: `${message}${shown}`, next: option.description };
}

function revealsSecret(option: Option<never> | Option, value: string): boolean {
  return option.secret === true && URL.canParse(value) && new URL(value).password !== "";
}

function describeReveal(name: OptionName): OptionProblem {
  const { flag, env } = OPTIONS[name];
  const message = "must not carry a password: every user of this machine can read the command line";
  return { where: flag, message, next: `Set ${env}, or write it to the configuration file.` };
}
