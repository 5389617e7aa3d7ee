import type { jobRoutes } from "@drover/contract";
import type { CallAnswer } from "../client/api-client.ts";
import { describeSeconds } from "./age.ts";
import { cutText } from "./text-width.ts";

type Step = CallAnswer<typeof jobRoutes.getGraph>["steps"][number];

/** How far a job is, at one look. */
export interface Progress {
  readonly job: CallAnswer<typeof jobRoutes.getJob>;
  readonly steps: readonly Step[];
  readonly lastLine: number;
  readonly lastText: string;
}

const BAR = 24;
const DONE: ReadonlySet<Step["state"]> = new Set(["Succeeded", "Skipped"]);

/** A few lines that fit the terminal: how far, which steps run, the last line of the log. */
export function describeProgress({ job, steps, lastText }: Progress, columns: number): readonly string[] {
  const head = `${job.cluster} ${job.kind}`;
  if (job.startedTime === null) return [`${head}: waiting for a worker`];
  const percent = job.percent ?? 0;
  const filled = Math.round((percent / 100) * BAR);
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR - filled)}`;
  const left = job.secondsLeft === null ? "" : `, ${describeSeconds(job.secondsLeft)} left`;
  const cancel = job.cancelRequestedTime === null ? "" : ", being cancelled";
  const attempt = job.attempt > 1 ? `, attempt ${job.attempt}` : "";
  const running = steps.filter(({ state }) => state === "Running").slice(0, 3);
  return [
    `${head} ${bar} ${percent} %  ${describeCount(steps)}${left}${attempt}${cancel}`,
    ...running.map((step) => `  ${describeStep(step)}`),
    ...(lastText === "" ? [] : [`  ${cutText(lastText.replaceAll(/\p{Cc}+/gu, " "), columns - 4)}`]),
  ];
}

/** For where nothing can be drawn again: one line for each step that began or ended since the last look. */
export function describeStepLine(before: Progress | null, { job, steps }: Progress): readonly string[] {
  const head = `${job.cluster} ${job.kind}:`;
  if (job.startedTime === null) return before === null ? [`${head} waiting for a worker`] : [];
  const known = new Map(before?.steps.map(({ id, state }) => [id, state]));
  const changed = steps.filter(({ id, state }) => state !== "Pending" && known.get(id) !== state);
  const percent = job.percent === null ? "" : ` ${job.percent} %`;
  return changed.map((step) => `${head} ${describeCount(steps)}${percent} ${step.state}: ${describeStep(step)}`);
}

function describeCount(steps: readonly Step[]): string {
  return `step ${steps.filter(({ state }) => DONE.has(state)).length}/${steps.length}`;
}

const describeStep = ({ title, host }: Step): string =>
  host === "local" || host === "" ? title : `${title} (${host})`;
