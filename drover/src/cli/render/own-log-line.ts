import { sanitizeText } from "../../lib/sanitize-text.ts";
import type { Colours } from "./colour.ts";

const LEVELS: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};
const WARN = 40;
const ERROR = 50;

/** A line of Drover's own log for people: when, how bad, what, and everything else that it says. */
export function renderOwnLogLine(line: string, colours: Colours): string {
  const entry = parseEntry(line);
  // What is no entry was written for people in the first place.
  if (entry === null) return `${sanitizeText(line)}\n`;
  const { time, level, msg, ...others } = entry;
  const when = new Date(time).toISOString().slice(0, 19).replace("T", " ");
  const name = LEVELS[level] ?? String(level);
  const paint = level >= ERROR ? colours.red : level >= WARN ? colours.yellow : colours.cyan;
  const rest = Object.keys(others).length === 0 ? "" : ` ${colours.dim(JSON.stringify(others))}`;
  return `${colours.dim(when)} ${paint(name.padEnd(5))} ${sanitizeText(msg)}${rest}\n`;
}

interface Entry {
  readonly time: number;
  readonly level: number;
  readonly msg: string;
}

function parseEntry(line: string): Entry | null {
  if (!line.startsWith("{")) return null;
  try {
    const { time, level, msg = "", ...others } = JSON.parse(line) as Partial<Entry>;
    const isEntry = typeof time === "number" && typeof level === "number" && typeof msg === "string";
    return isEntry && Number.isFinite(new Date(time).getTime()) ? { ...others, time, level, msg } : null;
  } catch {
    return null;
  }
}
