import type { Handlers } from "../cli/handlers.ts";
import { runCli } from "../cli/program.ts";
import { openSystemTerminal } from "../cli/system-terminal.ts";
import { quietSqliteWarning } from "./quiet-warnings.ts";
import { readVersion } from "./version.ts";

/** The program `drover`, from its arguments to its exit code. What a command needs is loaded when it is asked for. */
export async function runMain(args: readonly string[]): Promise<void> {
  quietSqliteWarning();
  const terminal = openSystemTerminal();
  const { out } = terminal;
  const version = readVersion();
  const up = () => import("./up.ts");
  const worker = () => import("./worker.ts");
  const detached = () => import("./detached.ts");
  const store = () => import("./store-commands.ts");
  const handlers: Handlers = {
    up: async (options) => (await up()).runUp(options, version, out),
    server: async (options) => (await up()).runServer(options, version, out),
    upDetached: async (options, rest) => (await detached()).runUpDetached(options, rest, out),
    status: async (options) => (await detached()).runStatus(options, out),
    down: async (options) => (await detached()).runDown(options, out),
    ownLog: async ({ dataDir }, request) => (await import("./own-log.ts")).runOwnLog(dataDir, request, out),
    worker: async (options) => (await worker()).runWorker(options, version, out),
    reconcileOnce: async (options) => (await worker()).runReconcileOnce(options, version, out),
    demo: async (options, asked) => (await import("./demo.ts")).runDemo(options, asked, version, out),
    examine: async (options) => (await import("./examine-machine.ts")).examineMachine(options),
    backUp: async (options, file) => (await store()).runBackup(options, file, out),
    restore: async (options, file) => (await store()).runRestore(options, file, out),
    check: async (options) => (await store()).runCheck(options, out),
    rotateKey: async (options, file) => (await store()).runRotateKey(options, file, out),
  };
  process.exitCode = await runCli(args, version, handlers, terminal);
}
