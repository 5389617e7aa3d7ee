import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunOptions } from "../../../ports/connector.ts";
import { ignore } from "../../capture-output.ts";
import { type StopRequest, watchForStop } from "../../watch-for-stop.ts";
import { endSession } from "../end-session.ts";
import { blameListener, type ProcessEnd, type ProcessRequest } from "../run-process.ts";
import type { FollowedLine, FromHelper, StartFailure, ToHelper } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL(`./helper-main${extname(import.meta.url)}`, import.meta.url));

interface CommandUnderWay {
  readonly graceMs: number;
  readonly follow: (line: FollowedLine) => void;
  readonly resolve: (end: ProcessEnd) => void;
  readonly reject: (error: Error) => void;
  pid: number | null;
}

/** One helper, as seen from the process whose commands it runs. */
export class HelperProcess {
  readonly #child: ChildProcess;
  readonly #commands = new Map<number, CommandUnderWay>();
  readonly #onGone: () => void;
  /** Settles once it takes commands, or never will. */
  readonly settled: Promise<void>;
  #lastId = 0;
  #ready = false;
  #settle: () => void = () => {};

  /** `onGone` is called once it takes no more commands, for whatever reason. */
  constructor(nodeOptions: readonly string[], onGone: () => void) {
    this.#onGone = onGone;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#child = fork(PROGRAM, [], {
      cwd: "/",
      env: {},
      execArgv: [...nodeOptions],
      // Away from the terminal, whose Ctrl-C is for the program that decides what becomes of its commands.
      detached: true,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child.on("message", (message) => this.#hear(message as FromHelper));
    this.#child.on("error", () => {
      if (this.#child.pid === undefined) this.#lose();
    });
    this.#child.once("disconnect", () => this.#lose());
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isReady(): boolean {
    return this.#ready && this.#child.connected;
  }

  get load(): number {
    return this.#commands.size;
  }

  async run(request: ProcessRequest): Promise<ProcessEnd> {
    const id = ++this.#lastId;
    const { signals, onLine, onStart: _, ...command } = request;
    const stop = watchForStop(signals, undefined);
    const follow = followLines(onLine, (error) => stop.request(blameListener(error)));
    try {
      const ended = new Promise<ProcessEnd>((resolve, reject) => {
        this.#commands.set(id, { graceMs: command.graceMs, follow, resolve, reject, pid: null });
      });
      this.#child.channel?.ref();
      this.#tell({ kind: "run", id, command: { ...command, followed: onLine !== undefined } });
      void stop.requested.then(() => this.#tell({ kind: "stop", id }));
      const end = await ended;
      return { ...end, stopped: await this.#findCause(end, stop.requested) };
    } finally {
      stop.end();
      this.#commands.delete(id);
      if (this.#commands.size === 0) this.#child.channel?.unref();
    }
  }

  /** Lets it end, and with it what it still runs. */
  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  /** Only the time ran out over there; all other reasons come from here. */
  async #findCause({ stopped }: ProcessEnd, requested: Promise<StopRequest>): Promise<StopRequest | null> {
    return stopped?.reason === "aborted" ? await requested : stopped;
  }

  #tell(message: ToHelper): void {
    if (this.#child.connected) this.#child.send(message, ignore);
  }

  #hear(message: FromHelper): void {
    if (message.kind === "ready") {
      this.#ready = true;
      this.#settle();
      return;
    }
    const command = this.#commands.get(message.id);
    if (command === undefined) return;
    if (message.kind === "started") command.pid = message.pid;
    else if (message.kind === "lines") for (const line of message.lines) command.follow(line);
    else if (message.kind === "ended") command.resolve(message.end);
    else command.reject(toError(message.error));
  }

  /** Nobody knows what becomes of its commands any more, so none of them may go on. */
  #lose(): void {
    this.#settle();
    this.#onGone();
    for (const { pid, graceMs, reject } of this.#commands.values()) {
      const left = pid === null ? Promise.resolve([]) : endSession(pid, graceMs);
      void left.then((survivors) => reject(new Error(describeLoss(survivors))));
    }
  }
}

/** What `onLine` throws ends the command, and it is not called again. */
function followLines(onLine: RunOptions["onLine"], onFailure: (error: unknown) => void): (line: FollowedLine) => void {
  let failed = false;
  return ({ text, stream, partial }) => {
    if (failed) return;
    try {
      onLine?.(text, stream, partial);
    } catch (error) {
      failed = true;
      onFailure(error);
    }
  };
}

function describeLoss(survivors: readonly number[]): string {
  const left =
    survivors.length === 0
      ? "it was ended too"
      : `its processes ${survivors.join(", ")} could not be ended; look for them with ps and end them`;
  return `The helper process that watched over it was ended from outside, and ${left}.`;
}

function toError({ message, code, errno }: StartFailure): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code, errno });
}
