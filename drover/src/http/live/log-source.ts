import { FINISHED_JOB_STATES, type JobState } from "@drover/contract";
import type { LogLine, ReadStore } from "../../ports/store/index.ts";
import { toTime } from "../present/time.ts";
import type { FeedSource } from "./feed.ts";
import type { Placed, View } from "./frame.ts";
import { sseBlock } from "./sse.ts";
import { frameText } from "./websocket-frame.ts";

/** A line of a job's log, already written down. */
export interface LogItem extends Placed {
  readonly step: string;
  readonly host: string;
  readonly json: string;
}

export const presentLine = ({ line, at, stepId, host, stream, text }: LogLine) => ({
  ...{ line, time: toTime(at) },
  step: stepId,
  ...{ host, stream, text },
});

/** The log of one job, which ends with the job. */
export function makeLogSource(read: ReadStore, jobId: string): FeedSource<LogItem> {
  return {
    isBounded: false,
    read: async (after, limit) => {
      const lines = await read.readLog({ jobId, from: after + 1, limit });
      return { items: lines.map(toItem), upTo: lines.at(-1)?.line ?? after };
    },
    newest: () => read.lastLogLine(jobId),
    ending: async () => {
      const job = await read.getJob(jobId);
      // The oldest jobs are removed with their logs some day, maybe while somebody looks.
      if (job === null) return { state: null, last: 0 };
      return isFinished(job.state) ? { state: job.state, last: await read.lastLogLine(jobId) } : null;
    },
  };
}

const isFinished = (state: JobState): boolean => (FINISHED_JOB_STATES as readonly JobState[]).includes(state);

function toItem(line: LogLine): LogItem {
  const json = JSON.stringify(presentLine(line));
  return { place: line.line, size: json.length, step: line.stepId, host: line.host, json };
}

export interface LogFilter {
  readonly step?: string | undefined;
  readonly host?: string | undefined;
}

export function keepsLine({ step, host }: LogFilter, line: { readonly step: string; readonly host: string }): boolean {
  return (step === undefined || step === line.step) && (host === undefined || host === line.host);
}

const LOG_FORMATS = {
  sse: (lines: readonly LogItem[]) =>
    Buffer.from(lines.map(({ place, json }) => sseBlock({ id: place, data: json })).join("")),
  socket: (lines: readonly LogItem[]) =>
    frameText(`{"type":"lines","lines":[${lines.map(({ json }) => json).join(",")}]}`),
};

export function makeLogView(format: keyof typeof LOG_FORMATS, filter: LogFilter): View<LogItem> {
  return {
    key: JSON.stringify([format, filter.step ?? null, filter.host ?? null]),
    encode: (lines) => {
      const kept = lines.filter((line) => keepsLine(filter, line));
      return kept.length === 0 ? null : LOG_FORMATS[format](kept);
    },
  };
}
