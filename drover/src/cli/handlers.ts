import type { Options } from "../config/options.ts";
import type { Finding } from "../domain/finding.ts";
import type { DemoOptions } from "./demo-options.ts";
import type { Colours } from "./render/colour.ts";

/** How much of Drover's own log is shown, and in which form. */
export interface OwnLogRequest {
  /** Goes on until the signal fires. */
  readonly follow: boolean;
  /** Only so many of the last lines. */
  readonly tail: number | undefined;
  readonly asJson: boolean;
  readonly colours: Colours;
  readonly signal: AbortSignal;
}

/** What commands do that run on this machine rather than ask a server; main/ brings it. Each answers the exit code. */
export interface Handlers {
  /** Runs until it is told to stop. */
  readonly up: (options: Options) => Promise<number>;
  /** The same, without a worker. */
  readonly server: (options: Options) => Promise<number>;
  /** Starts `up` with these arguments as a process of its own, and waits until it answers. */
  readonly upDetached: (options: Options, args: readonly string[]) => Promise<number>;
  readonly status: (options: Options) => Promise<number>;
  readonly down: (options: Options) => Promise<number>;
  readonly ownLog: (options: Options, request: OwnLogRequest) => Promise<number>;
  /** Runs until it is told to stop. */
  readonly worker: (options: Options) => Promise<number>;
  readonly reconcileOnce: (options: Options) => Promise<number>;
  readonly demo: (options: Options, asked: DemoOptions) => Promise<number>;
  /** What clusters on this machine need of it. */
  readonly examine: (options: Options) => Promise<readonly Finding[]>;
  readonly backUp: (options: Options, file: string) => Promise<number>;
  readonly restore: (options: Options, file: string) => Promise<number>;
  readonly check: (options: Options) => Promise<number>;
  readonly rotateKey: (options: Options, newKeyFile: string) => Promise<number>;
}
