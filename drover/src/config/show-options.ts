import { sourceOf } from "./load-options.ts";
import { OPTION_NAMES, OPTIONS, type Option, type Options } from "./options.ts";

/** Options for people: what each is, and where it was set. What may hold a secret is not shown. */
export function showOptions(options: Options) {
  return OPTION_NAMES.filter((name) => !isInternal(OPTIONS[name])).map((name) => {
    const { description, flag, env, secret }: Option<never> | Option = OPTIONS[name];
    const value = secret === true ? null : toText(options[name]);
    return { name, value, source: sourceOf(options, name), description, flag, env };
  });
}

const isInternal = ({ hidden, client }: Option<never> | Option) => hidden === true || client === true;

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
