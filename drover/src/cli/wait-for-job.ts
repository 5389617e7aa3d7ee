import { jobRoutes, logRoutes } from "@drover/contract";
import { sleep, systemTimer } from "../ports/timer.ts";
import type { CallAnswer } from "./client/api-client.ts";
import { ApiError, ConnectionError } from "./client/api-error.ts";
import { EXIT } from "./exit-codes.ts";
import { isFinished, type Job } from "./find-job.ts";
import { describeSeconds } from "./render/age.ts";
import { LiveArea } from "./render/live-area.ts";
import { describeProgress, describeStepLine, type Progress } from "./render/progress.ts";
import { cutText } from "./render/text-width.ts";
import type { Session } from "./session.ts";

const PAUSE_MS = 400;
const LOST_PAUSE_MS = 1_000;
/** What shells give to a program that Ctrl+C ended. */
const INTERRUPTED = 130;

type Graph = CallAnswer<typeof jobRoutes.getGraph>;

/**
 * Shows how a job gets on until it ends, and answers with the exit code that it stands for. Whoever stops waiting does
 * not stop the job. A server that goes away is waited for: the job does not need it.
 */
export async function waitForJob(asking: Session, jobId: string): Promise<number> {
  const session = { ...asking, client: asking.client.impatiently() };
  const { terminal } = session;
  const stopped = new AbortController();
  const unlisten = terminal.onInterrupt(() => stopped.abort());
  const area = terminal.errIsScreen ? new LiveArea(terminal.err, terminal.columns) : null;
  let seen: Progress | null = null;
  let lost = false;
  try {
    while (!stopped.signal.aborted) {
      try {
        const now = await look(session, jobId, seen);
        if (lost) terminal.err("Connection is back.\n");
        lost = false;
        show(session, area, seen, now);
        seen = now;
        if (isFinished(now.job)) return finish(session, area, now);
      } catch (error) {
        if (!isPassing(error) || seen === null) throw error;
        if (!lost) say(session, area, `${(error as Error).message} The job goes on without it; trying again …\n`);
        lost = true;
      }
      await sleep(systemTimer, lost ? LOST_PAUSE_MS : PAUSE_MS, stopped.signal);
    }
    area?.clear();
    const name = seen?.job.cluster ?? jobId;
    terminal.err(
      `The job goes on. Follow it with \`drover logs -f ${name}\`, cancel it with \`drover cancel ${name}\`.\n`,
    );
    return INTERRUPTED;
  } finally {
    unlisten();
  }
}

async function look({ client }: Session, id: string, seen: Progress | null): Promise<Progress> {
  const job: Job = await client.call(jobRoutes.getJob, { params: { id } });
  const graph: Graph = await client.call(jobRoutes.getGraph, { params: { id } });
  const from = (seen?.lastLine ?? 0) + 1;
  const { lines, last } = await client.call(logRoutes.readLog, { params: { id }, query: { from, limit: 10_000 } });
  return {
    job,
    steps: graph.steps,
    lastLine: Math.max(last, from - 1),
    lastText: lines.at(-1)?.text ?? seen?.lastText ?? "",
  };
}

/** The server is away, or cannot reach its store just now. */
function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.answer.status === 503);
}

function say({ terminal }: Session, area: LiveArea | null, text: string): void {
  if (area === null) terminal.err(text);
  else area.say(text);
}

function show(session: Session, area: LiveArea | null, before: Progress | null, now: Progress): void {
  if (area !== null) {
    area.draw(describeProgress(now, session.terminal.columns()));
    return;
  }
  for (const line of describeStepLine(before, now)) session.terminal.err(`${line}\n`);
}

function finish(session: Session, area: LiveArea | null, { job }: Progress): number {
  area?.clear();
  const { terminal, colours } = session;
  const started = Date.parse(job.startedTime ?? job.createdTime);
  const took = describeSeconds((Date.parse(job.finishedTime ?? job.createdTime) - started) / 1_000);
  const name = `cluster/${job.cluster}`;
  if (job.state === "Succeeded") {
    terminal.err(`${name}: ${job.kind} ${colours.green("succeeded")} in ${took}.\n`);
    return EXIT.ok;
  }
  if (job.state === "Canceled") {
    terminal.err(
      `${name}: ${job.kind} was ${colours.yellow("cancelled")} after ${took}. \`drover retry ${job.cluster}\` starts it again.\n`,
    );
    return EXIT.jobCanceled;
  }
  const { code = "unknown", message = "no reason was given" } = job.error ?? {};
  terminal.err(`${name}: ${job.kind} ${colours.red("failed")} after ${took}: ${cutText(message, 2_000)} (${code})\n`);
  terminal.err(`Read \`drover logs ${job.cluster}\`, remove the cause, then \`drover retry ${job.cluster}\`.\n`);
  return EXIT.jobFailed;
}
