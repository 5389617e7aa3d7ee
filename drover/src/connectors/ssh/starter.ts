import { randomBytes } from "node:crypto";
import type { Client, ClientChannel } from "ssh2";
import { ignore } from "../capture-output.ts";
import { pingHost } from "./ping-host.ts";
import { makeStarterCommand, packScript } from "./starter-script.ts";
import { explainSudoFailure, SudoError } from "./sudo-error.ts";

/** Who commands are run as: whoever we log in as, or root by way of sudo. */
export type RunAs = "user" | "root";

export interface StarterOptions {
  readonly runAs: RunAs;
  readonly searchPath: string;
  readonly sudoPassword: string | undefined;
  readonly patienceMs: number;
  /** Whether the connection is gone, so that what ends now ends because of that. */
  readonly isLost: () => boolean;
}

export interface StarterListener {
  onOutput(stream: "stdout" | "stderr", chunk: Buffer): void;
  /** The process that was the starter has ended. */
  onExit(exitCode: number | null, signal: string | null): void;
  /** Nothing more will come. All that was written has come, unless the connection was lost. */
  onClose(isWhole: boolean): void;
}

/** The host took the command, but no shell was ready in time. */
export class NotReadyError extends Error {
  override readonly name = "NotReadyError";
}

/** What else a host may say before the starter does: greetings of a shell, lectures of sudo. */
const MOST_NOISE_BYTES = 64 * 1024;

/**
 * A shell on the host that waits for something to do, on a channel of its own. Opening it takes several round trips;
 * what it is told takes one. It either becomes a command, or obeys any number of scripts one after the other.
 */
export class Starter {
  readonly runAs: RunAs;
  readonly nonce: string;
  readonly closed: Promise<void>;
  readonly #client: Client;
  readonly #channel: ClientChannel;
  readonly #isLost: () => boolean;
  #pid = 0;
  #listener: StarterListener | null = null;
  #isClosed = false;
  #isWhole = false;

  private constructor(client: Client, channel: ClientChannel, nonce: string, { runAs, isLost }: StarterOptions) {
    this.#client = client;
    this.#channel = channel;
    this.#isLost = isLost;
    this.runAs = runAs;
    this.nonce = nonce;
    this.closed = new Promise((resolve) => {
      channel.once("close", () => {
        this.#isClosed = true;
        this.#listener?.onClose(this.#isWhole);
        resolve();
      });
    });
    // A lost connection ends the output too, but is known to be lost by then.
    channel.once("end", () => {
      this.#isWhole = !isLost();
    });
    channel.on("error", ignore);
    channel.stderr.on("error", ignore);
    channel.on("exit", (code: number | null, signal?: string) => this.#listener?.onExit(code, signal ?? null));
    channel.on("data", (chunk: Buffer) => this.#listener?.onOutput("stdout", chunk));
    channel.stderr.on("data", (chunk: Buffer) => this.#listener?.onOutput("stderr", chunk));
  }

  /** Rejects with a `SudoError` when it may not become root, with what the host said when it may not run anything. */
  static open(client: Client, options: StarterOptions): Promise<Starter> {
    const nonce = `drover-${randomBytes(12).toString("hex")}`;
    const { runAs, searchPath, sudoPassword } = options;
    const prompt = sudoPassword === undefined ? null : `${nonce}-password`;
    const command = makeStarterCommand({ nonce, searchPath, sudo: runAs === "root" ? { prompt } : null });
    return new Promise((resolve, reject) => {
      client.exec(command, (error, channel) => {
        if (error) return reject(error);
        // At once, as the host may have said more already.
        const starter = new Starter(client, channel, nonce, options);
        starter.#greet({ ...options, prompt }).then(
          () => resolve(starter),
          (failure) => {
            starter.dismiss();
            reject(failure);
          },
        );
      });
    });
  }

  /** Its process number, which is also that of its session. */
  get pid(): number {
    return this.#pid;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether all of its output has come. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** See `pingHost`. */
  askHost(): Promise<void> {
    return pingHost(this.#client, this.#isLost);
  }

  listen(listener: StarterListener | null): void {
    this.#listener = listener;
  }

  obey(script: string): void {
    this.#channel.write(packScript(script));
  }

  /** For what a script has turned the starter into. */
  write(bytes: string | Uint8Array, done?: () => void): void {
    this.#channel.write(bytes, () => done?.());
  }

  endInput(): void {
    this.#channel.end();
  }

  /** Lets go of it, whatever it does. */
  dismiss(): void {
    this.#channel.destroy();
  }

  /** Waits until it has said its process number, and gives sudo the password when that asks. */
  #greet({ prompt, sudoPassword, patienceMs }: Greeting): Promise<void> {
    return new Promise((resolve, reject) => {
      const said = { stdout: "", stderr: "" };
      let answered = false;
      const settle = (failure: Error | null) => {
        clearTimeout(timer);
        this.#listener = null;
        if (failure) reject(failure);
        else resolve();
      };
      const timer = setTimeout(
        () => settle(new NotReadyError(`No shell was ready within ${patienceMs / 1000} s.`)),
        patienceMs,
      );
      const onOutput = (stream: "stdout" | "stderr", chunk: Buffer) => {
        said[stream] = (said[stream] + chunk.toString("latin1")).slice(-MOST_NOISE_BYTES);
        const found = new RegExp(`(?:^|\n)${this.nonce} (\\d+)\n`).exec(said.stdout);
        if (found) {
          this.#pid = Number(found[1]);
          return settle(null);
        }
        const prompts = prompt === null ? 0 : said.stderr.split(prompt).length - 1;
        if (prompts > 1) settle(new SudoError("wrong-password"));
        else if (prompts === 1 && !answered) {
          answered = true;
          this.write(`${sudoPassword}\n`);
        }
      };
      const onClose = () => {
        const words = said.stderr.trim() || said.stdout.trim() || "The shell ended without a word.";
        settle((this.runAs === "root" ? explainSudoFailure(words, answered) : null) ?? new Error(words));
      };
      this.#listener = { onOutput, onClose, onExit: ignore };
    });
  }
}

interface Greeting extends StarterOptions {
  readonly prompt: string | null;
}
