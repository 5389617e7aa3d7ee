import { logRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { findJob, type Job, nameJob } from "../find-job.ts";
import { parseCount } from "../flags.ts";
import { followLog, type LogLine } from "../follow-log.ts";
import { renderLogLine } from "../render/log-line.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";

interface Given {
  readonly follow?: boolean;
  readonly from?: number;
  readonly tail?: number;
  readonly step?: string;
  readonly host?: string;
  readonly search?: string;
  readonly output?: string;
}

const PAGE = 10_000;

export function define(command: Command, context: CommandContext): void {
  command
    .argument(
      "[cluster-or-job]",
      "a cluster for its newest job, or a job as demo/3 or by its id; Drover's own log if left out",
    )
    .option("-f, --follow", "go on with lines as they come, until the job ends")
    .option("--from <line>", "begin at this line", parseCount)
    .option("--tail <count>", "only so many of the last lines", parseCount)
    .option("--step <step>", "only this step")
    .option("--host <host>", "only this host")
    .option("--search <text>", "only lines that hold this text")
    .option("-o, --output <form>", "text, or json for one object per line", "text");
  addExamples(
    command,
    "drover logs demo",
    "drover logs -f demo",
    "drover logs demo/1 --tail 20",
    "drover logs demo --search ready",
    "drover logs --tail 20",
  );
  talk<Given>(command, context, async (session, given, args) =>
    args[0] === undefined ? await showOwnLog(session, given, context) : await run(session, given, wordOf(args)),
  );
}

/** What the Drover that runs on this machine says of itself. */
async function showOwnLog(session: Session, given: Given, { handlers }: CommandContext): Promise<number> {
  const { terminal, options, colours } = session;
  const unfit = (["from", "step", "host", "search"] as const).filter((name) => given[name] !== undefined);
  if (unfit.length > 0) {
    const flags = unfit.map((name) => `--${name}`).join(", ");
    throw new UsageError(`${flags}: only for the log of a cluster or a job. Name one, as in \`drover logs demo\`.`);
  }
  const stopped = new AbortController();
  const unlisten = terminal.onInterrupt(() => stopped.abort());
  const { follow = false, tail } = given;
  const request = { follow, tail, asJson: given.output === "json", colours, signal: stopped.signal };
  const code = await handlers.ownLog(options, request);
  unlisten();
  return code;
}

async function run(session: Session, given: Given, name: string): Promise<number> {
  const job = await findJob(session.client, name);
  const show = ({ text, ...line }: LogLine) => {
    const whole = { ...line, text };
    session.terminal.out(
      given.output === "json" ? `${JSON.stringify(whole)}\n` : renderLogLine(whole, session.colours),
    );
  };
  if (given.search !== undefined) return await search(session, job, given.search, show);
  const from =
    given.tail === undefined ? (given.from ?? 1) : Math.max(1, (await countLines(session, job)) - given.tail + 1);
  const narrow = {
    ...(given.step === undefined ? {} : { step: given.step }),
    ...(given.host === undefined ? {} : { host: given.host }),
  };
  if (given.follow === true) return await follow(session, job, from, narrow, show);
  return await readAll(session, job, from, narrow, show);
}

async function search({ client, terminal }: Session, { id }: Job, text: string, show: (line: LogLine) => void) {
  const { total, lines } = await client.call(logRoutes.searchLog, { params: { id }, query: { text, limit: PAGE } });
  for (const line of lines) show(line);
  if (total > lines.length) terminal.err(`${total - lines.length} more lines hold this text.\n`);
  return 0;
}

async function countLines({ client }: Session, { id }: Job): Promise<number> {
  return (await client.call(logRoutes.readLog, { params: { id }, query: { limit: 1 } })).total;
}

async function readAll(
  { client }: Session,
  { id }: Job,
  from: number,
  narrow: object,
  show: (line: LogLine) => void,
): Promise<number> {
  for (let next = from; ; ) {
    const query = { from: next, limit: PAGE, ...narrow };
    const { lines, last, total } = await client.call(logRoutes.readLog, { params: { id }, query });
    for (const line of lines) show(line);
    if (last < next || last >= total) return 0;
    next = last + 1;
  }
}

async function follow(session: Session, job: Job, from: number, narrow: object, onLine: (line: LogLine) => void) {
  const { terminal } = session;
  const stopped = new AbortController();
  const unlisten = terminal.onInterrupt(() => stopped.abort());
  await followLog(session, { jobId: job.id, from, narrow, onLine, signal: stopped.signal });
  unlisten();
  if (stopped.signal.aborted) terminal.err(`The job goes on. Cancel it with \`drover cancel ${job.cluster}\`.\n`);
  else {
    const { state } = await findJob(session.client, job.id);
    terminal.err(`Job ${nameJob(job)} (${job.kind}) has ended: ${state}.\n`);
  }
  return 0;
}
