import { type Command, Option as Flag } from "commander";
import { loadOptions, type OptionSources } from "../config/load-options.ts";
import { OPTION_NAMES, OPTIONS, type Option, type OptionName, type Options } from "../config/options.ts";

/** The options that a command shows; all of them count, wherever they are set. */
const SHOWN: Readonly<Record<"all" | "store" | "client" | "restore" | "everything", readonly OptionName[]>> = {
  all: OPTION_NAMES.filter((name) => !isForClients(name)),
  store: ["dataDir", "store", "masterKeyFile"],
  client: ["server", "tokenFile", "dataDir"],
  restore: ["server", "tokenFile", "dataDir", "store", "masterKeyFile"],
  everything: OPTION_NAMES,
};

function isForClients(name: OptionName): boolean {
  const option: Option<never> | Option = OPTIONS[name];
  return option.client === true;
}

/** Gives a command flags of the options table. */
export function addOptions(command: Command, which: keyof typeof SHOWN): Command {
  command.option("--config <file>", "YAML file with options (env: DROVER_CONFIG)");
  for (const name of SHOWN[which]) command.addOption(makeFlag(name));
  return command;
}

/** The options of a command that was given on the command line. */
export function readOptions(command: Command): Options {
  return loadOptions(readFlags(command));
}

export function readFlags(command: Command): Pick<OptionSources, "flags" | "configFile"> {
  const given = command.opts<Record<string, string>>();
  const flags: Partial<Record<OptionName, string>> = {};
  for (const name of OPTION_NAMES) {
    const value = given[makeFlag(name).attributeName()];
    if (value !== undefined) flags[name] = value;
  }
  return { flags, configFile: given.config };
}

function makeFlag(name: OptionName): Flag {
  const { flag, env, type, description, default: preset, hidden }: Option<never> | Option = OPTIONS[name];
  const shown = preset.replace("{data}", "~/.local/share").replace("{dataDir}", "<data-dir>");
  const notes = [shown === "" ? "" : `default: ${shown}`, `env: ${env}`].filter((note) => note !== "").join(", ");
  const word = type.word.includes("|") ? "word" : type.word.replaceAll(" ", "-");
  return new Flag(`${flag} <${word}>`, `${description} (${notes})`).hideHelp(hidden === true);
}
