import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Options } from "../config/options.ts";
import { LocalConnector } from "../connectors/local/local-connector.ts";
import { storeUrl } from "./open-store-for.ts";

interface Child {
  readonly asked: AbortController;
  readonly ended: Promise<void>;
  pid: number | null;
  killed: boolean;
}

const STOP_MS = 30_000;

/** Processes of `drover worker` on the demo's store. */
export class DemoWorkers {
  readonly #connector: LocalConnector;
  readonly #argv: readonly [string, ...string[]];
  readonly #configFile: string;
  readonly #children = new Set<Child>();
  /** What went wrong without anybody having wanted it. */
  readonly complaints: string[] = [];
  /** What they wrote to their logs as an error. */
  readonly errors: string[] = [];
  kills = 0;

  constructor(options: Options, run: string) {
    this.#configFile = join(options.dataDir, `demo-${run}.yaml`);
    // A file, as a command line may not carry the password of a database.
    writeFileSync(this.#configFile, JSON.stringify(workerConfig(options)), { mode: 0o600 });
    this.#connector = new LocalConnector({ environment: {}, directory: process.cwd(), graceMs: STOP_MS });
    const [, program = ""] = process.argv;
    this.#argv = [process.execPath, ...process.execArgv, "--", program, "worker", "--config", this.#configFile];
  }

  start(): void {
    const asked = new AbortController();
    const running = this.#connector.run(
      { argv: this.#argv },
      { signal: asked.signal, onLine: (line, stream) => this.#read(child, line, stream) },
    );
    const ended = running.then(
      ({ exitCode, signal, stderr }) => {
        this.#children.delete(child);
        if (!child.killed)
          this.complaints.push(`A worker ended by itself (${exitCode ?? signal}): ${lastLine(stderr)}`);
      },
      (error: unknown) => {
        this.#children.delete(child);
        if (!asked.signal.aborted) this.complaints.push(`A worker could not be run: ${String(error)}`);
      },
    );
    const child: Child = { asked, ended, pid: null, killed: false };
    this.#children.add(child);
  }

  /** Kills the one that has been there longest, the way a power cut would, and starts another one. */
  killOne(): void {
    const child = [...this.#children].find(({ pid, killed }) => pid !== null && !killed);
    if (child === undefined || child.pid === null) return;
    child.killed = true;
    this.kills += 1;
    process.kill(child.pid, "SIGKILL");
    this.start();
  }

  async killRegularly(everyMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal }).catch(() => {});
      if (!signal.aborted) this.killOne();
    }
  }

  async stop(): Promise<void> {
    const children = [...this.#children];
    for (const { asked } of children) asked.abort(new Error("The demo is over."));
    await Promise.all(children.map(({ ended }) => ended));
    rmSync(this.#configFile, { force: true });
  }

  #read(child: Child, line: string, stream: "stdout" | "stderr"): void {
    if (stream === "stdout") child.pid ??= Number(/as process (\d+)\./.exec(line)?.[1] ?? Number.NaN) || null;
    else if (/"level":(50|60)/.test(line)) this.errors.push(line);
  }
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

function workerConfig(options: Options): Readonly<Record<string, unknown>> {
  const { dataDir, store, masterKeyFile, workerHost, logLevel } = options;
  const times = [
    "resyncInterval",
    "healthInterval",
    "lease",
    "drain",
    "retryCap",
    "expiryWarning",
    "stepGrace",
  ] as const;
  const counts = [
    ...(["maxJobs", "jobAttempts", "maxSteps", "maxStepsPerHost", "maxStepsPerProvider"] as const),
    ...(["stepLogLines", "stepLogChars", "logBufferChars"] as const),
  ];
  return {
    ...{ dataDir, store: storeUrl(store), masterKeyFile, workerHost, logLevel },
    ...Object.fromEntries(counts.map((name) => [name, options[name]])),
    ...Object.fromEntries(times.map((name) => [name, `${options[name]}ms`])),
  };
}
