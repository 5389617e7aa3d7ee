import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { LineSplitter } from "../../lib/line-splitter.ts";
import { TailBuffer } from "../../lib/tail-buffer.ts";
import type { OutputStream, RunOptions } from "../../ports/connector.ts";

export interface CapturedOutput {
  /** What `onLine` threw. */
  readonly failure: { readonly error: unknown } | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly dropped: Readonly<Record<OutputStream, number>>;
}

export interface OutputCapture {
  /** Hands out the last lines and closes the pipes, whoever else still holds them. */
  readonly finish: () => CapturedOutput;
}

export interface CaptureOptions {
  readonly onLine: RunOptions["onLine"];
  readonly keepBytes: number;
  /** Told when `onLine` threw, after which it is not called again. */
  readonly onFailure: (error: unknown) => void;
}

/** Reads both outputs of a child to their end. */
export function captureOutput(child: ChildProcess, options: CaptureOptions): OutputCapture {
  let failure: CapturedOutput["failure"] = null;
  const listen = (stream: OutputStream) => (line: string, partial: boolean) => {
    if (failure) return;
    try {
      options.onLine?.(line, stream, partial);
    } catch (error) {
      failure = { error };
      options.onFailure(error);
    }
  };
  const read = (source: Readable | null, stream: OutputStream) =>
    captureStream(source, options.keepBytes, options.onLine && new LineSplitter(listen(stream)));
  const stdout = read(child.stdout, "stdout");
  const stderr = read(child.stderr, "stderr");
  return {
    finish: () => {
      const [out, err] = [stdout.finish(), stderr.finish()];
      return { failure, stdout: out.text, stderr: err.text, dropped: { stdout: out.dropped, stderr: err.dropped } };
    },
  };
}

function captureStream(source: Readable | null, keepBytes: number, lines: LineSplitter | undefined) {
  const tail = new TailBuffer(keepBytes);
  source?.on("error", ignore);
  source?.on("data", (chunk: Buffer) => {
    tail.push(chunk);
    lines?.push(chunk);
  });
  return {
    finish: () => {
      source?.removeAllListeners("data");
      source?.destroy();
      lines?.end();
      return { text: tail.toText(), dropped: tail.droppedBytes };
    },
  };
}

/** A pipe that breaks says no more than the end of the process does. */
export function ignore(): void {}
