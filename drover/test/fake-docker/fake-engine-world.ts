import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DockerEngine } from "../../src/connectors/docker/docker-engine.ts";
import { makeTar } from "../../src/lib/tar.ts";
import type { ContainerEngine } from "../../src/ports/container-engine.ts";
import { FakeDocker } from "./daemon.ts";

/** A daemon of its own in a folder of its own. */
export async function startFakeDocker(images: readonly string[] = []): Promise<{
  readonly daemon: FakeDocker;
  readonly engine: ContainerEngine;
  readonly folder: string;
  dispose(): Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), "drover-docker-"));
  const daemon = new FakeDocker(join(folder, "docker.sock"), images);
  await daemon.start();
  const engine = new DockerEngine({ host: daemon.host, certificates: null });
  return {
    daemon,
    engine,
    folder,
    dispose: async () => {
      engine.close();
      await daemon.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks a daemon as a program would; throws its message when it refuses. */
export async function askDocker(
  socketPath: string,
  method: string,
  path: string,
  body?: Buffer | object,
): Promise<unknown> {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asking = request({ socketPath, method, path, headers: { "content-type": "application/json" } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.once("error", reject);
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
      );
    });
    asking.once("error", reject);
    asking.end(bytes);
  });
  const json: unknown = text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : null;
  if (status >= 400) throw new Error((json as { message?: string } | null)?.message ?? `status ${status}`);
  return json;
}

export async function putFile(socketPath: string, container: string, path: string, content: string): Promise<void> {
  const archive = makeTar([{ name: path.replace(/^\/+/, ""), content }], 0);
  await askDocker(socketPath, "PUT", `/containers/${container}/archive?path=/`, archive);
}

/** A port of this machine that nobody uses at the moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject()));
    });
  });
}
