import { MaskedPiece } from "../lib/mask-secrets.ts";
import type { LogLine, NewLogLine } from "../ports/store/index.ts";

export interface LogTuning {
  /** How long a line may wait for company, unless so many lines come before. */
  readonly lingerMs: number;
  readonly eagerLines: number;
  /** The most that goes into one write. */
  readonly batchLines: number;
  readonly batchChars: number;
  /** The longest line; longer ones are cut into several. */
  readonly lineChars: number;
  /** The most that one step may write; beyond it only the last lines are kept. */
  readonly stepLines: number;
  readonly stepChars: number;
}

export const DEFAULT_LOG_TUNING: LogTuning = {
  lingerMs: 100,
  eagerLines: 256,
  batchLines: 4_096,
  batchChars: 1024 * 1024,
  lineChars: 8_192,
  stepLines: 100_000,
  stepChars: 10 * 1024 * 1024,
};

/** A line on its way to the store. Its text is read when it goes, so that what follows can still hide a part of it. */
export interface WaitingLine {
  readonly at: number;
  readonly stepId: string;
  readonly host: string;
  readonly stream: LogLine["stream"];
  readonly text: MaskedPiece | string;
  /** Marks of a line that was cut. */
  readonly before: string;
  readonly after: string;
}

/** Where the lines of a step go. */
export interface LogSink {
  readonly tuning: LogTuning;
  /** Whether lines have to be left out now; `began`: whether some already were. */
  isFull(began: boolean): boolean;
  add(line: WaitingLine): void;
}

/** As the line is shown. */
export function readLine(line: WaitingLine): string {
  return line.before + (line.text instanceof MaskedPiece ? line.text.reveal() : line.text) + line.after;
}

export function toLogLine(line: WaitingLine): NewLogLine {
  const { at, stepId, host, stream } = line;
  return { at, stepId, host, stream, text: readLine(line) };
}
