import { CommandError } from "../../src/lib/command-error.ts";
import type { Connector } from "../../src/ports/connector.ts";
import { runFakeK3d } from "./program.ts";

export interface FakeConnectorOptions {
  readonly socket: string;
  /** What k3d is told to do, and with what input; before it does it. */
  readonly onRun?: (argv: readonly string[], stdin: string) => void;
  /** Each line, as it comes; throws to end the program there, as if it was killed. */
  readonly onLine?: (line: string) => void;
  readonly isInstalled?: boolean;
}

/** As k3d is told which images to take where its own cannot be had. */
const IMAGES = { K3D_IMAGE_LOADBALANCER: "example/k3d-proxy:1", K3D_IMAGE_TOOLS: "example/k3d-tools:1" };

/** A machine on which there is nothing but the fake k3d, which runs in this process. */
export function makeFakeConnector({ socket, onRun, onLine, isInstalled = true }: FakeConnectorOptions): Connector {
  return {
    host: "local",
    run: async ({ argv, stdin = "", environment = {} }, options = {}) => {
      const failure = { host: "local", argv };
      const [program, ...args] = argv;
      if (program !== "k3d" || !isInstalled) throw new CommandError({ ...failure, reason: "not-found" });
      onRun?.(argv, String(stdin));
      const lines = { stdout: [] as string[], stderr: [] as string[] };
      const kill = new AbortController();
      const signal = AbortSignal.any([kill.signal, ...(options.signal === undefined ? [] : [options.signal])]);
      try {
        const exitCode = await runFakeK3d({
          ...{ socket, args, signal, stdin: String(stdin) },
          environment: { ...IMAGES, ...environment },
          write: (line, stream) => {
            lines[stream].push(line);
            options.onLine?.(line, stream, false);
            onLine?.(line);
          },
        });
        const dropped = { stdout: 0, stderr: 0 };
        return { exitCode, signal: null, stdout: lines.stdout.join("\n"), stderr: lines.stderr.join("\n"), dropped };
      } catch (error) {
        if (signal.aborted) throw new CommandError({ ...failure, reason: "aborted", cause: error });
        throw error;
      }
    },
    put: () => Promise.reject(new Error("k3d needs no files.")),
    get: () => Promise.reject(new Error("k3d needs no files.")),
    findMarked: async () => [],
    endMarked: async () => {},
    close: async () => {},
  };
}
