import type { StepState } from "@drover/contract";
import type { JobReport, StepCounts } from "./job-report.ts";

/** A report as Markdown: what went wrong first, then where, then everything. */
export function renderReportMarkdown(report: JobReport): string {
  const { job, cluster } = report;
  return [
    `# ${inline(cluster)}: ${job.kind} ${report.outcome}`,
    inline(report.message),
    ...renderRootCause(report),
    "## Summary",
    renderTable(
      ["", ""],
      [
        ["Job", code(job.id)],
        ["Generation", String(job.generation)],
        ["Attempt", String(job.attempt)],
        ["Pipeline", inline(report.pipeline)],
        ["Plan", code(report.planHash)],
        ["Began", report.startedAt],
        ["Ended", report.finishedAt],
        ["Took", renderDuration(report.durationMs)],
        ["Steps", renderCounts(report.counts)],
      ],
    ),
    "## Hosts",
    renderTable(
      ["Host", "Steps", "Busy"],
      report.hosts.map(({ host, counts, busyMs }) => [inline(host), renderCounts(counts), renderDuration(busyMs)]),
    ),
    ...renderSlowest(report),
    "## Steps",
    renderTable(
      ["Step", "Host", "State", "Attempts", "Took", "Error"],
      report.steps.map(({ title, host, state, attempts, durationMs, error }) => [
        ...[inline(title), inline(host), state, String(attempts)],
        durationMs === null ? "" : renderDuration(durationMs),
        error === null ? "" : `${inline(error.code)}: ${inline(error.message)}`,
      ]),
    ),
    ...renderUndone(report),
    "",
  ].join("\n\n");
}

function renderRootCause({ rootCause, steps }: JobReport): readonly string[] {
  if (rootCause === null) return [];
  const { title, host, message, hint, blocked, lastLines } = rootCause;
  const titles = new Map(steps.map((step) => [step.stepId, step.title]));
  return [
    "## Root cause",
    `**${inline(title)}** on ${inline(host)} failed (${inline(rootCause.code)}):`,
    fence(message),
    inline(hint),
    ...(lastLines.length > 0 ? ["The last lines of its log:", fence(lastLines.join("\n"))] : []),
    ...(blocked.length > 0
      ? [`Not run because of it: ${blocked.map((id) => inline(titles.get(id) ?? id)).join(", ")}.`]
      : []),
  ];
}

function renderSlowest({ slowest, steps }: JobReport): readonly string[] {
  if (slowest.length === 0) return [];
  const known = new Map(steps.map((step) => [step.stepId, step]));
  const rows = slowest.map(({ stepId, durationMs }) => {
    const step = known.get(stepId);
    return [inline(step?.title ?? stepId), inline(step?.host ?? ""), renderDuration(durationMs)];
  });
  return ["## Slowest steps", renderTable(["Step", "Host", "Took"], rows)];
}

function renderUndone({ undone }: JobReport): readonly string[] {
  if (undone.length === 0) return [];
  const rows = undone.map(({ title, host, error }) => [
    inline(title),
    inline(host),
    error === null ? "taken back" : inline(error),
  ]);
  return ["## Taken back", renderTable(["Step", "Host", "Result"], rows)];
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function renderCounts(counts: StepCounts): string {
  const states = Object.entries(counts) as [StepState, number][];
  return states.flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : [])).join(", ");
}

export function renderDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Text that a reader of Markdown sees as it is, in one line: nothing in it is markup. */
function inline(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|~&]/g, "\\$&");
}

const code = (text: string): string => `\`${text.replace(/[`|\s]+/g, " ")}\``;

/** A block that nothing within can end. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
