import type { OptionType } from "./option-types.ts";

/** One option: everything that flags, environment, configuration file, validation and docs/options.md need of it. */
export interface Option<T = unknown> {
  readonly type: OptionType<T>;
  /** As a user would write it. May name other options as `{dataDir}`. */
  readonly default: string;
  readonly env: `DROVER_${string}`;
  readonly flag: `--${string}`;
  readonly description: string;
  /** Why the default is what it is. */
  readonly reason: string;
  /** May hold a secret: never shown, never logged. */
  readonly secret?: true;
  /** For commands that talk to a server, not for the server itself. */
  readonly client?: true;
  /** Not listed by `--help`: nobody needs it who only uses the program. */
  readonly hidden?: true;
}

export const option = <T>(definition: Option<T>): Option<T> => definition;
