import { type Command, InvalidArgumentError } from "commander";
import { OUTPUTS, type Output, parseOutput } from "./render/output.ts";
import { UsageError } from "./usage-error.ts";

export interface OutputFlags {
  readonly output: Output;
}

export const addOutput = (command: Command): Command =>
  command.option("-o, --output <form>", `one of: ${OUTPUTS.join(", ")}`, parseOutput, "table");

export interface WaitFlags {
  readonly wait?: boolean;
}

export const addWait = (command: Command): Command =>
  command.option("--wait", "wait for the job to end, with its progress; exit code 4 if it fails, 5 if it is cancelled");

export interface ReasonFlags {
  readonly reason?: string;
}

export const addReason = (command: Command): Command =>
  command.option("--reason <text>", "why, for the history and the audit log");

export interface SelectorFlags {
  readonly selector?: string;
}

export const addSelector = (command: Command): Command =>
  command.option("-l, --selector <labels>", "only clusters with these labels, as env=dev,tier in (a,b),!legacy");

export interface FileFlags {
  readonly filename: readonly string[];
}

export const addFiles = (command: Command): Command =>
  command.requiredOption(
    "-f, --filename <file>",
    "file or folder with clusters; - is standard input; repeatable",
    collect,
  );

/** For options that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** A length of time as 90s, 30m, 8h or 30d, in seconds. */
export function parseLifetime(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("It must be a time such as 30m, 8h or 30d.");
  return Number(count) * SECONDS[unit as keyof typeof SECONDS];
}

export function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** `key=value` pairs, as in labels and parameters. */
export function parsePairs(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`"${pair}" must be written as key=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
