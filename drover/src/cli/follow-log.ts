import { logRoutes } from "@drover/contract";
import type { CallAnswer } from "./client/api-client.ts";
import { followStream } from "./client/follow.ts";
import type { Session } from "./session.ts";

export type LogLine = CallAnswer<typeof logRoutes.readLog>["lines"][number];

export interface FollowLog {
  readonly jobId: string;
  readonly from: number;
  readonly narrow: { readonly step?: string; readonly host?: string };
  readonly onLine: (line: LogLine) => void;
  readonly signal: AbortSignal;
}

/**
 * The lines of a job as they come, until it ends. Each is shown once, in order, also when the server is restarted
 * meanwhile: it goes on behind the last line that was seen, and says so. Lines that are left out by step or host cannot
 * be told from lost ones, so only whole logs are counted.
 */
export async function followLog({ client, terminal }: Session, follow: FollowLog): Promise<void> {
  const { jobId, from, narrow, onLine, signal } = follow;
  const isWhole = narrow.step === undefined && narrow.host === undefined;
  let next = from;
  let isBack = false;
  await followStream({
    signal,
    open: (lastEventId, abort) =>
      client.open(logRoutes.streamLog, {
        params: { id: jobId },
        query: { from: next, ...narrow },
        headers: { accept: "text/event-stream", ...(lastEventId === null ? {} : { "last-event-id": lastEventId }) },
        signal: abort,
      }),
    onEvent: ({ event, data }) => {
      if (event === "end") return true;
      if (event !== "message") return false;
      const line = JSON.parse(data) as LogLine;
      // After a restart the server may begin a little earlier than asked for.
      if (line.line < next) return false;
      if (isBack) {
        const lost = isWhole ? `, ${line.line - next} lost` : "";
        terminal.err(`Connection is back: resumed at line ${line.line}${lost}.\n`);
      }
      isBack = false;
      next = line.line + 1;
      onLine(line);
      return false;
    },
    onLost: (why) => terminal.err(`Connection lost after line ${next - 1} (${why}). Trying again …\n`),
    onResumed: () => {
      isBack = true;
    },
  });
  if (isBack) terminal.err(`Connection is back: nothing came after line ${next - 1}, 0 lost.\n`);
}
