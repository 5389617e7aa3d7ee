import type { OutputStream } from "../../src/ports/connector.ts";
import { createCluster } from "./create-cluster.ts";
import { DockerOfK3d } from "./docker-client.ts";
import { editCluster } from "./edit-cluster.ts";
import { importImages } from "./import-images.ts";
import { createNode, deleteNode } from "./nodes.ts";
import { K3dFailure, type K3dRun } from "./run.ts";

type Command = (run: K3dRun, rest: readonly string[]) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = {
  "cluster create": createCluster,
  "cluster edit": editCluster,
  "node create": createNode,
  "node delete": deleteNode,
  "image import": importImages,
};

export interface RunRequest {
  readonly socket: string;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly write: (line: string, stream: OutputStream) => void;
}

/** The part of k3d v5.9 that Drover uses, on a fake Docker daemon: the same names, labels, order, lines and exit codes. */
export async function runFakeK3d(request: RunRequest): Promise<number> {
  const { socket, args, stdin, environment, signal, write } = request;
  const command = COMMANDS[args.slice(0, 2).join(" ")];
  if (environment.LOG_COLORS !== "false") throw new Error("The fake k3d has no colours: set LOG_COLORS=false.");
  const run: K3dRun = {
    ...{ docker: new DockerOfK3d(socket), args, stdin, environment },
    say: async (message, level = "info") => {
      const line = `time="2026-01-01T00:00:00Z" level=${level} msg=${JSON.stringify(message)}`;
      write(line, level === "info" ? "stdout" : "stderr");
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
    wait: (ms) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      }),
  };
  if (command === undefined) throw new Error(`The fake k3d does not know ${args.join(" ")}.`);
  try {
    await command(run, args.slice(2));
    return 0;
  } catch (error) {
    if (error instanceof K3dFailure) return 1;
    throw error;
  }
}
