import { splitDuration } from "../lib/duration.ts";
import type { Language } from "./languages.ts";
import type { Messages } from "./messages.ts";
import { useLanguage } from "./use-language.tsx";
import { useUtc } from "./use-utc.tsx";

export interface Format {
  /** Date and time, to the second. */
  readonly moment: (time: string | number) => string;
  readonly clock: (time: string | number) => string;
  /** How long ago, in one unit. */
  readonly ago: (ms: number) => string;
  readonly span: (ms: number) => string;
  readonly number: (value: number) => string;
  readonly percent: (ratio: number) => string;
}

/** How times and numbers are written, by language and time zone. */
export function useFormat(): Format {
  const { language, messages } = useLanguage();
  const { isUtc } = useUtc();
  const name = `${language} ${isUtc}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const format = makeFormat(language, messages, isUtc);
  made.set(name, format);
  return format;
}

/** Every row of every list needs one. */
const made = new Map<string, Format>();

function makeFormat(language: Language, messages: Messages, isUtc: boolean): Format {
  const zone = isUtc ? { timeZone: "UTC" as const } : {};
  const moment = once(() => new Intl.DateTimeFormat(language, { ...zone, dateStyle: "medium", timeStyle: "medium" }));
  const clock = once(() => new Intl.DateTimeFormat(language, { ...zone, timeStyle: "medium", hourCycle: "h23" }));
  const number = once(() => new Intl.NumberFormat(language));
  const percent = once(() => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }));
  const suffix = isUtc ? " UTC" : "";
  return {
    moment: (time) => `${moment().format(new Date(time))}${suffix}`,
    clock: (time) => clock().format(new Date(time)),
    ago: (ms) => (ms < 5_000 ? messages.time.now : messages.time.ago(describeSpan(ms, messages.time))),
    span: (ms) => describeSpan(ms, messages.time),
    number: (value) => number().format(value),
    percent: (ratio) => percent().format(ratio),
  };
}

/** The formats of Intl are slow to make, and most pages need few of them. */
function once<T>(make: () => T): () => T {
  let known: T | undefined;
  return () => (known ??= make());
}

type Units = Messages["time"];

function describeSpan(ms: number, units: Units): string {
  const { days, hours, minutes, seconds } = splitDuration(ms);
  if (days > 0) return units.days(days);
  if (hours > 0) return units.hours(hours);
  return minutes > 0 ? units.minutes(minutes) : units.seconds(seconds);
}
