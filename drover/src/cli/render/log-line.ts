import type { LogLine } from "../follow-log.ts";
import type { Colours } from "./colour.ts";

/** A line of a log: when, which step on which host, what. Drover's own words are dim, errors are red. */
export function renderLogLine({ time, step, host, stream, text }: LogLine, colours: Colours): string {
  const name = nameStep(step);
  const where = host === "local" || host === "" ? name : `${name}@${host}`;
  const shown = stream === "stderr" ? colours.red(text) : stream === "drover" ? colours.dim(text) : text;
  return `${colours.dim(time.slice(11, 19))} ${colours.cyan(`[${where}]`)} ${shown}\n`;
}

/** Of `pipeline/task/step/host` the step: the others say little that it does not. */
function nameStep(id: string): string {
  const parts = id.split("/");
  return (parts.length > 1 ? parts.at(-2) : parts[0]) ?? id;
}
