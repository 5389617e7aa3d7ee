import { Agent, request as ask } from "node:http";
import type { FuzzRequest } from "./requests.ts";

export interface FuzzAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Streams never end by themselves: what has come after so long is enough. */
const STREAM_MS = 20;

/** Sends requests as they are, over a few connections that stay open. */
export class Sender {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(port: number) {
    this.#port = port;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** A connection that was closed while it rested is not the fault of the next request. */
  async send(request: FuzzRequest): Promise<FuzzAnswer> {
    try {
      return await this.#sendOnce(request);
    } catch (error) {
      if (!(error instanceof RestingConnectionClosed)) throw error;
      return await this.send(request);
    }
  }

  async #sendOnce({ method, url, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
    return await new Promise((resolve, reject) => {
      const asked = ask({
        ...{ host: "127.0.0.1", port: this.#port, agent: this.#agent, method, path: url },
        headers: { ...headers, ...(body === null ? {} : { "content-length": Buffer.byteLength(body) }) },
      });
      asked.once("error", (error: NodeJS.ErrnoException) => {
        const wasResting = asked.reusedSocket && ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
        reject(wasResting ? new RestingConnectionClosed() : error);
      });
      asked.once("response", (response) => {
        const { statusCode: status = 0 } = response;
        const type = response.headers["content-type"] ?? "";
        const chunks: Buffer[] = [];
        const end = () => resolve({ status, type, text: Buffer.concat(chunks).toString() });
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("end", end);
        response.once("error", reject);
        if (!type.startsWith("text/event-stream")) return;
        setTimeout(() => {
          response.removeAllListeners("error").on("error", () => {});
          asked.destroy();
          end();
        }, STREAM_MS);
      });
      asked.end(body ?? undefined);
    });
  }
}

class RestingConnectionClosed extends Error {}
