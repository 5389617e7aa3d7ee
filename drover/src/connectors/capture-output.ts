import type { Readable } from "node:stream";
import { LineSplitter } from "../lib/line-splitter.ts";
import { TailBuffer } from "../lib/tail-buffer.ts";
import type { OutputStream, RunOptions } from "../ports/connector.ts";

export interface CapturedOutput {
  /** What `onLine` threw. */
  readonly failure: { readonly error: unknown } | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly dropped: Readonly<Record<OutputStream, number>>;
}

export interface CaptureOptions {
  readonly onLine: RunOptions["onLine"];
  readonly keepBytes: number;
  /** Told when `onLine` threw, after which it is not called again. */
  readonly onFailure: (error: unknown) => void;
}

/** Keeps the end of both outputs of a command, and cuts them into lines for whoever follows. */
export class OutputCapture {
  readonly #streams: Readonly<Record<OutputStream, { tail: TailBuffer; lines: LineSplitter | undefined }>>;
  #failure: CapturedOutput["failure"] = null;

  constructor({ onLine, keepBytes, onFailure }: CaptureOptions) {
    const listen = (stream: OutputStream) => (line: string, partial: boolean) => {
      if (this.#failure) return;
      try {
        onLine?.(line, stream, partial);
      } catch (error) {
        this.#failure = { error };
        onFailure(error);
      }
    };
    const open = (stream: OutputStream) => ({
      tail: new TailBuffer(keepBytes),
      lines: onLine && new LineSplitter(listen(stream)),
    });
    this.#streams = { stdout: open("stdout"), stderr: open("stderr") };
  }

  push(stream: OutputStream, chunk: Uint8Array): void {
    const { tail, lines } = this.#streams[stream];
    tail.push(chunk);
    lines?.push(chunk);
  }

  /** Hands out the last lines. */
  finish(): CapturedOutput {
    const { stdout, stderr } = this.#streams;
    stdout.lines?.end();
    stderr.lines?.end();
    return {
      failure: this.#failure,
      stdout: stdout.tail.toText(),
      stderr: stderr.tail.toText(),
      dropped: { stdout: stdout.tail.droppedBytes, stderr: stderr.tail.droppedBytes },
    };
  }
}

export interface OutputSource {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

/** Reads both outputs of a process to their end. `finish` also closes the pipes, whoever else still holds them. */
export function captureOutput(source: OutputSource, options: CaptureOptions): { finish: () => CapturedOutput } {
  const capture = new OutputCapture(options);
  const read = (stream: OutputStream) => {
    source[stream]?.on("error", ignore);
    source[stream]?.on("data", (chunk: Buffer) => capture.push(stream, chunk));
  };
  const close = (stream: OutputStream) => {
    source[stream]?.removeAllListeners("data");
    source[stream]?.destroy();
  };
  read("stdout");
  read("stderr");
  return {
    finish: () => {
      close("stdout");
      close("stderr");
      return capture.finish();
    },
  };
}

/** A pipe that breaks says no more than the end of the process does. */
export function ignore(): void {}
