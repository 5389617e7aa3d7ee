import { TIME_BOUNDS, type WorkTime } from "../domain/work-times.ts";

const NAME = "drover_reconcile_seconds";

/**
 * How long looks and jobs took, as each worker has counted since it began. Every server tells the same, so that it is
 * one histogram per worker, whichever of them is asked.
 */
export function renderWorkTimes(workers: ReadonlyMap<string, readonly WorkTime[]>): string {
  const lines = [
    `# HELP ${NAME} How long rounds of looks and attempts of jobs took, by worker, kind and outcome.`,
    `# TYPE ${NAME} histogram`,
  ];
  for (const [worker, times] of workers) {
    for (const { kind, outcome, count, seconds, within } of times) {
      const labels = [`worker=${quote(worker)}`, `kind=${quote(kind)}`, `outcome=${quote(outcome)}`].join(",");
      for (const [index, bound] of TIME_BOUNDS.entries()) {
        lines.push(`${NAME}_bucket{${labels},le="${bound}"} ${within[index]}`);
      }
      lines.push(`${NAME}_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(`${NAME}_sum{${labels}} ${seconds}`, `${NAME}_count{${labels}} ${count}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

const quote = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
