import { Duplex } from "node:stream";
import type { Client, ClientChannel } from "ssh2";
import { ignore } from "../capture-output.ts";
import { unreachable } from "./open-client.ts";
import type { SshTarget } from "./ssh-target.ts";

/** A line to a host that goes through another one, `via`. Rejects with an `UnreachableError`. */
export function openForwarded(client: Client, target: SshTarget, via: string, connectMs: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    try {
      client.forwardOut("127.0.0.1", 0, target.host, target.port ?? 22, (error, channel) => {
        clearTimeout(timer);
        if (error) reject(unreachable(target, "refused", `${via} has no way to it.`, error));
        else if (isLate) letGo(channel);
        else resolve(new ForwardedLine(channel));
      });
    } catch (error) {
      reject(unreachable(target, "lost", `The connection to ${via} broke.`, error));
      return;
    }
    const timer = setTimeout(() => {
      isLate = true;
      reject(unreachable(target, "timed-out", `It did not answer ${via} within ${connectMs / 1000} s.`));
    }, connectMs);
  });
}

function letGo(channel: ClientChannel): void {
  channel.on("error", ignore);
  channel.resume();
  channel.destroy();
}

/**
 * A channel as a line that is closed as soon as it is destroyed. A channel by itself is closed when the other side says
 * so, which a host in between does not while it holds anything for a host that has gone.
 */
class ForwardedLine extends Duplex {
  readonly #channel: ClientChannel;

  constructor(channel: ClientChannel) {
    super({ allowHalfOpen: false });
    this.#channel = channel;
    channel.on("data", (chunk: Buffer) => {
      if (!this.destroyed && !this.push(chunk)) channel.pause();
    });
    channel.once("end", () => this.push(null));
    channel.once("close", () => {
      // What has come is read before.
      if (this.readableEnded || this.readableLength === 0) this.destroy();
      else this.once("end", () => this.destroy());
    });
    channel.on("error", (error: Error) => this.destroy(error));
  }

  override _read(): void {
    this.#channel.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#channel.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    this.#channel.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    letGo(this.#channel);
    done(error);
  }
}
