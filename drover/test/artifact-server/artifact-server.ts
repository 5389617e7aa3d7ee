import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface Asked {
  readonly path: string;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
}

/** What happens instead of the ordinary answer; nothing when it has done nothing. */
export type Mishap = (asked: Asked, response: ServerResponse) => boolean;

/** A web server of files, of memory or of a folder, that answers ranges and can be made to fail. */
export class ArtifactServer {
  readonly files = new Map<string, Buffer>();
  readonly asked: Asked[] = [];
  mishap: Mishap = () => false;
  /** Cuts the connection after so many bytes of content, so many times. */
  cut: { after: number; times: number; readonly arrived?: (bytes: number) => Promise<unknown> } = {
    after: 0,
    times: 0,
  };
  ignoresRanges = false;

  readonly #server: Server;
  readonly #folder: string | null;

  private constructor(folder: string | null) {
    this.#folder = folder;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async open(folder: string | null = null, host = "127.0.0.1"): Promise<ArtifactServer> {
    const server = new ArtifactServer(folder);
    await new Promise<void>((resolve) => server.#server.listen(0, host, resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://here").pathname).slice(1);
    const { range, authorization } = request.headers;
    const asked = { path, range, authorization };
    this.asked.push(asked);
    if (this.mishap(asked, response)) return;
    const size = await this.#sizeOf(path);
    if (size === null) {
      response.writeHead(404).end();
      return;
    }
    const from = this.ignoresRanges ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    if (from > 0 && from >= size) {
      response.writeHead(416, { "content-range": `bytes */${size}` }).end();
      return;
    }
    const partial = from > 0 ? { "content-range": `bytes ${from}-${size - 1}/${size}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { "content-length": size - from, ...partial });
    if (this.cut.times > 0 && size - from > this.cut.after) {
      this.cut.times -= 1;
      const part = this.files.get(path)?.subarray(from, from + this.cut.after) ?? Buffer.alloc(0);
      // Whoever wants to be sure that all of the part has arrived says when it has.
      const { arrived = async () => {} } = this.cut;
      response.write(part, () => void arrived(from + part.length).then(() => response.destroy()));
      return;
    }
    const content = this.files.get(path);
    if (content === undefined) createReadStream(join(this.#folder ?? "", path), { start: from }).pipe(response);
    else response.end(content.subarray(from));
  }

  async #sizeOf(path: string): Promise<number | null> {
    const content = this.files.get(path);
    if (content !== undefined) return content.length;
    if (this.#folder === null || path.includes("..")) return null;
    const found = await stat(join(this.#folder, path)).catch(() => null);
    return found?.isFile() === true ? found.size : null;
  }
}
